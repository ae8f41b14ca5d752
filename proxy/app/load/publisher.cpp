// SPDX-License-Identifier: Apache-2.0
#include "app/load/publisher.hpp"

#include "app/load/ledger.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>

namespace sluice::app::load {
namespace {

constexpr int k_patience_ms = 50;  // a full socket is left this often to see whether to stop
constexpr core::Nanoseconds k_probe_interval = 5 * core::k_millisecond;
constexpr core::Nanoseconds k_housekeeping = 100 * core::k_millisecond;

core::Nanoseconds unix_time() noexcept {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * core::k_second + t.tv_nsec;
}

// 128 bits: a billion a second for hours.
core::Nanoseconds due_after(std::uint64_t messages, std::uint64_t rate) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<core::Nanoseconds>(static_cast<Wide>(messages) *
                                        static_cast<Wide>(core::k_second) / rate);
}

}  // namespace

Publisher::Publisher(zmq::context_t& context, const Options& options, const Share& share,
                     bool probe)
    : m_options(options),
      m_share(share),
      m_probe(probe),
      m_name(options.name + '-' + std::to_string(share.index)),
      m_socket(context, zmq::socket_type::xpub),
      m_source(source_id(m_name)),
      m_sequences(options.topics.size()) {
  m_socket.set(zmq::sockopt::linger, static_cast<int>(options.settle.count()));
  m_socket.set(zmq::sockopt::xpub_nodrop, !options.drop);
  m_socket.set(zmq::sockopt::sndhwm, options.hwm);
  m_socket.set(zmq::sockopt::rcvhwm, 0);
  m_socket.set(zmq::sockopt::sndtimeo, k_patience_ms);
  m_socket.set(zmq::sockopt::ipv6, true);
  for (const Endpoint& endpoint : options.publish) {
    if (endpoint.bind) {
      m_socket.bind(endpoint.address);
    } else {
      m_socket.connect(endpoint.address);
    }
  }
  m_thread = std::thread(&Publisher::run, this);
}

Publisher::~Publisher() {
  request_stop();
  m_thread.join();
}

void Publisher::go(core::Nanoseconds start) {
  m_start.store(start);
}

void Publisher::request_stop() noexcept {
  m_stopping.store(true);
  m_wake.raise();
}

bool Publisher::stopping() const noexcept {
  return m_stopping.load(std::memory_order_relaxed);
}

void Publisher::run() noexcept {
  pthread_setname_np(pthread_self(), "sluice/pub");
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  try {
    prepare();
    m_to_unix = unix_time() - core::now();
    if (!stopping()) m_share.rate == 0 ? flood() : pace();
  } catch (const zmq::error_t&) {  // the context was shut down
  }
  m_ended = core::now();
  m_done.store(true);
  // Open until it is destroyed: what was sent is still on its way.
}

void Publisher::prepare() {
  while (m_start.load() == 0 && !stopping()) {
    read_subscriptions();
    if (m_probe) {
      for (std::size_t t = 0; t < m_options.topics.size(); ++t) send_message(t, k_probe, 0, false);
    }
    sleep_until(core::now() + k_probe_interval);
  }
}

void Publisher::pace() {
  const core::Nanoseconds start = m_start.load() + m_share.offset;
  const core::Nanoseconds end = m_start.load() + core::to_ns(m_options.duration);
  const core::Nanoseconds grace = core::to_ns(m_options.settle);
  const std::uint64_t all =
      m_share.count != 0
          ? m_share.count
          : m_share.rate * static_cast<std::uint64_t>(m_options.duration.count()) / 1'000;
  core::Nanoseconds looked = 0;
  for (std::uint64_t done = 0; done < all; done += m_options.burst) {
    const core::Nanoseconds due = start + due_after(done, m_share.rate);
    core::Nanoseconds time = core::now();
    if (time < due) {
      if (time - looked >= k_housekeeping) {
        read_subscriptions();
        looked = time;
      }
      if (!sleep_until(due)) return;
      time = core::now();
    }
    if (m_share.count == 0 && time >= end + grace) {
      m_unsent = all - done;
      return;
    }
    m_lateness.add(time - due);
    if (!send_burst(due, std::min(m_options.burst, all - done))) return;
  }
}

void Publisher::flood() {
  const core::Nanoseconds end = m_start.load() + core::to_ns(m_options.duration);
  const std::uint64_t all =
      m_share.count != 0 ? m_share.count : std::numeric_limits<std::uint64_t>::max();
  if (!sleep_until(m_start.load())) return;
  for (std::uint64_t done = 0; done < all; ++done) {
    const core::Nanoseconds time = core::now();
    if (m_share.count == 0 && time >= end) return;
    if (!send_burst(time, 1)) return;
  }
}

bool Publisher::send_burst(core::Nanoseconds due, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (stopping() || !send_message(m_next_topic, m_sequences[m_next_topic], due, true))
      return false;
    ++m_sequences[m_next_topic];
    m_next_topic = m_next_topic + 1 == m_sequences.size() ? 0 : m_next_topic + 1;
    m_sent.add(1);
  }
  return true;
}

bool Publisher::send_message(std::size_t topic, std::uint64_t sequence, core::Nanoseconds due,
                             bool wait) {
  const std::string& prefix = m_options.topics[topic];
  for (unsigned frame = 1; frame < m_options.frames; ++frame) {
    zmq::message_t head(prefix.data(), prefix.size());
    if (!send_frame(head, ZMQ_SNDMORE, wait || frame > 1)) return false;
  }
  const std::size_t head = m_options.frames == 1 ? prefix.size() : 0;
  zmq::message_t last(std::max(m_options.size, head + k_payload_size));
  auto* data = last.data<std::byte>();
  std::memcpy(data, prefix.data(), head);
  std::memset(data + head, '.', last.size() - head);
  write_payload({data, last.size()},
                {m_source, sequence, static_cast<std::uint64_t>(due + m_to_unix)});
  return send_frame(last, 0, wait || m_options.frames > 1);
}

bool Publisher::send_frame(zmq::message_t& frame, int flags, bool wait) {
  while (zmq_msg_send(frame.handle(), m_socket.handle(), wait ? flags : flags | ZMQ_DONTWAIT) < 0) {
    if (errno != EAGAIN && errno != EINTR) return false;
    if (!wait || stopping()) return false;
  }
  return true;
}

void Publisher::read_subscriptions() {
  zmq::message_t frame;
  while (m_socket.recv(frame, zmq::recv_flags::dontwait)) {
    if (frame.size() > 0 && *frame.data<unsigned char>() == 1) m_subscribed.store(true);
  }
}

// False when it is to stop.
bool Publisher::sleep_until(core::Nanoseconds time) noexcept {
  while (!stopping()) {
    const core::Nanoseconds left = time - core::now();
    if (left <= 0) return true;
    const timespec timeout{left / core::k_second, left % core::k_second};
    pollfd descriptor{m_wake.fd(), POLLIN, 0};
    if (::ppoll(&descriptor, 1, &timeout, nullptr) > 0) {
      m_wake.take();
    }
  }
  return false;
}

}  // namespace sluice::app::load
