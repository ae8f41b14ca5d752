// SPDX-License-Identifier: Apache-2.0
#include "app/feed/generator.hpp"

#include "app/feed/pacer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <utility>

namespace sluice::app {
namespace {

constexpr int k_wait_for_room_ms = 50;
constexpr std::uint64_t k_subscriptions_every = 256;

std::uint64_t unix_time_ns() noexcept {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

Generator::Generator(zmq::context_t& context, config::GeneratorOptions options,
                     const std::string& endpoint)
    : m_options(std::move(options)),
      m_socket(context, zmq::socket_type::xpub),
      m_source(source_id(m_options.name)) {
  for (const std::string& topic : m_options.topics) m_topics.push_back({topic, 0});
  if (m_topics.empty()) m_topics.emplace_back();
  m_socket.set(zmq::sockopt::linger, 0);
  m_socket.set(zmq::sockopt::xpub_nodrop, true);
  m_socket.set(zmq::sockopt::sndhwm, m_options.send_hwm);
  m_socket.set(zmq::sockopt::rcvhwm, 0);
  m_socket.set(zmq::sockopt::sndtimeo, k_wait_for_room_ms);
  m_socket.connect(endpoint);
  m_descriptor = m_socket.get(zmq::sockopt::fd);
  m_thread = std::thread(&Generator::run, this);
}

Generator::~Generator() {
  request_stop();
  join();
}

void Generator::request_stop() noexcept {
  m_stopping.store(true, std::memory_order_relaxed);
  m_stop.raise();
}

void Generator::join() {
  if (m_thread.joinable()) m_thread.join();
}

bool Generator::stopping() const noexcept {
  return m_stopping.load(std::memory_order_relaxed);
}

void Generator::run() noexcept {
  pthread_setname_np(pthread_self(), "sluice/gen");
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  try {
    if (m_options.rate == 0) {
      flood();
    } else {
      keep_pace();
    }
  } catch (const zmq::error_t&) {  // the context was shut down
  }
  m_socket.close();
}

void Generator::flood() {
  for (std::uint64_t i = 0; !stopping(); ++i) {
    if (i % k_subscriptions_every == 0) read_subscriptions();
    if (m_subscriptions == 0) {
      pause_until(core::now() + core::k_second, true);
      read_subscriptions();
      continue;
    }
    if (send_one(true) == Sent::ended) return;
  }
}

void Generator::keep_pace() {
  Pacer pacer(m_options.rate, m_options.pattern, core::now());
  core::Nanoseconds last_read = 0;
  while (!stopping()) {
    const core::Nanoseconds time = core::now();
    if (time - last_read >= core::k_millisecond) {  // a look costs two system calls
      read_subscriptions();
      last_read = time;
    }
    burst(pacer.take_due(time));
    m_skipped.add(pacer.take_skipped());
    pause_until(pacer.next(), false);
  }
}

void Generator::burst(std::uint64_t due) {
  for (std::uint64_t i = 0; i < due && !stopping(); ++i) {
    switch (send_one(false)) {
      case Sent::yes:
        break;
      case Sent::full:
        m_skipped.add(due - i);
        return;
      case Sent::ended:
        request_stop();
        return;
    }
  }
}

Generator::Sent Generator::send_one(bool wait) {
  Topic& topic = m_topics[m_next_topic];
  const int flags = wait ? 0 : ZMQ_DONTWAIT;
  // The first frame decides about room; libzmq takes the others of a message it has begun.
  for (unsigned frame = 1; frame < m_options.frames; ++frame) {
    zmq::message_t head(topic.prefix.data(), topic.prefix.size());
    const Sent sent = send_frame(head, flags | ZMQ_SNDMORE);
    if (sent != Sent::yes) return sent;
  }
  zmq::message_t last = make_last_frame(topic);
  const Sent sent = send_frame(last, flags);
  if (sent != Sent::yes) return sent;
  ++topic.sequence;
  m_next_topic = (m_next_topic + 1) % m_topics.size();
  m_sent.add(1);
  return Sent::yes;
}

Generator::Sent Generator::send_frame(zmq::message_t& frame, int flags) {
  while (true) {
    if (zmq_msg_send(frame.handle(), m_socket.handle(), flags) >= 0) return Sent::yes;
    if (errno == EAGAIN) return Sent::full;
    if (errno != EINTR) return Sent::ended;
  }
}

zmq::message_t Generator::make_last_frame(Topic& topic) {
  const std::size_t head = m_options.frames == 1 ? topic.prefix.size() : 0;
  const std::size_t size = std::max(m_options.size, head + k_payload_size);
  zmq::message_t frame(size);
  auto* data = frame.data<std::byte>();
  std::memcpy(data, topic.prefix.data(), head);
  std::memset(data + head, '.', size - head);
  write_payload({data, size}, {m_source, topic.sequence, unix_time_ns()});
  return frame;
}

void Generator::read_subscriptions() {
  zmq::message_t frame;
  while (m_socket.recv(frame, zmq::recv_flags::dontwait)) {
    if (frame.size() == 0) continue;
    const auto first = *frame.data<unsigned char>();
    if (first == 1) ++m_subscriptions;
    if (first == 0 && m_subscriptions > 0) --m_subscriptions;
  }
}

void Generator::pause_until(core::Nanoseconds deadline, bool subscriptions) noexcept {
  const core::Nanoseconds left = std::max<core::Nanoseconds>(deadline - core::now(), 0);
  if (left == 0) return;
  const timespec timeout{left / core::k_second, left % core::k_second};
  pollfd descriptors[] = {{m_stop.fd(), POLLIN, 0}, {-1, POLLIN, 0}};
  if (subscriptions) descriptors[1].fd = m_descriptor;
  static_cast<void>(::ppoll(descriptors, 2, &timeout, nullptr));
}

}  // namespace sluice::app
