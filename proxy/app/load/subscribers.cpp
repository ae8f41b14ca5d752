// SPDX-License-Identifier: Apache-2.0
#include "app/load/subscribers.hpp"

#include <algorithm>
#include <pthread.h>
#include <utility>

namespace sluice::app::load {
namespace {

constexpr long k_patience_ms = 100;
constexpr unsigned k_burst = 256;  // from one socket before the others are looked at
// A message whose time is further off than this was not made by us.
constexpr core::Nanoseconds k_plausible = 86'400 * core::k_second;

core::Nanoseconds unix_time() noexcept {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * core::k_second + t.tv_nsec;
}

std::span<const std::byte> bytes_of(const zmq::message_t& frame) noexcept {
  return {frame.data<const std::byte>(), frame.size()};
}

}  // namespace

Subscribers::Subscribers(zmq::context_t& context, const Options& options, unsigned sockets,
                         std::vector<std::uint64_t> awaited)
    : m_awaited(std::move(awaited)), m_probed(sockets) {
  std::sort(m_awaited.begin(), m_awaited.end());
  for (unsigned i = 0; i < sockets; ++i) {
    zmq::socket_t socket(context, zmq::socket_type::sub);
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::rcvhwm, options.hwm);
    socket.set(zmq::sockopt::ipv6, true);
    for (const std::string& topic : options.subscriptions) {
      socket.set(zmq::sockopt::subscribe, topic);
    }
    for (const Endpoint& endpoint : options.subscribe) {
      if (endpoint.bind) {
        socket.bind(endpoint.address);
      } else {
        socket.connect(endpoint.address);
      }
    }
    m_sockets.push_back(std::move(socket));
    m_ledgers.push_back(std::make_unique<Ledger>(!m_awaited.empty()));
  }
  m_thread = std::thread(&Subscribers::run, this);
}

Subscribers::~Subscribers() {
  stop();
}

void Subscribers::stop() {
  m_stopping.store(true);
  m_stop.raise();
  if (m_thread.joinable()) m_thread.join();
}

void Subscribers::account(const std::vector<StreamTotal>& totals) {
  for (const auto& ledger : m_ledgers) {
    for (const StreamTotal& total : totals) ledger->end(total.stream, total.sent);
  }
}

void Subscribers::run() noexcept {
  pthread_setname_np(pthread_self(), "sluice/sub");
  std::vector<zmq_pollitem_t> items;
  for (zmq::socket_t& socket : m_sockets) items.push_back({socket.handle(), 0, ZMQ_POLLIN, 0});
  items.push_back({nullptr, m_stop.fd(), ZMQ_POLLIN, 0});
  try {
    while (!m_stopping.load(std::memory_order_relaxed)) {
      if (zmq_poll(items.data(), static_cast<int>(items.size()), k_patience_ms) < 0) {
        if (zmq_errno() == ETERM) break;
        continue;
      }
      for (std::size_t i = 0; i < m_sockets.size(); ++i) {
        if ((items[i].revents & ZMQ_POLLIN) != 0) drain(i);
      }
      std::uint64_t fewest = m_ledgers.front()->received();
      for (const auto& ledger : m_ledgers) fewest = std::min(fewest, ledger->received());
      m_fewest.store(fewest, std::memory_order_relaxed);
    }
  } catch (const zmq::error_t&) {  // the context was shut down
  }
  for (zmq::socket_t& socket : m_sockets) socket.close();
}

void Subscribers::drain(std::size_t socket) {
  zmq::message_t first;
  zmq::message_t last;
  const std::uint64_t before = m_ledgers[socket]->received();
  for (unsigned count = 0; count < k_burst; ++count) {
    if (!m_sockets[socket].recv(first, zmq::recv_flags::dontwait)) break;
    m_size = first.size();
    const bool alone = !first.more();
    for (bool more = !alone; more; more = last.more()) {
      static_cast<void>(m_sockets[socket].recv(last, zmq::recv_flags::none));
      m_size += last.size();
    }
    const auto body = bytes_of(alone ? first : last);
    const auto head =
        alone ? body.first(body.size() - std::min(body.size(), k_payload_size)) : bytes_of(first);
    take(socket, head, body, unix_time());
  }
  if (m_started) {
    m_last = core::now();
    if (m_first == 0) m_first = m_last;
  }
  m_received.add(m_ledgers[socket]->received() - before);
}

void Subscribers::take(std::size_t socket, std::span<const std::byte> head,
                       std::span<const std::byte> last, core::Nanoseconds unix_now) {
  const auto payload = read_payload(last);
  if (payload && payload->sequence == k_probe) {
    const std::uint64_t stream = stream_of(payload->source, head);
    if (!std::binary_search(m_awaited.begin(), m_awaited.end(), stream)) return;
    auto& probed = m_probed[socket];
    if (probed.insert(stream).second && probed.size() == m_awaited.size()) m_ready.fetch_add(1);
    return;
  }
  m_started = true;
  m_bytes += m_size;
  const core::Nanoseconds latency =
      payload ? unix_now - static_cast<core::Nanoseconds>(payload->time_ns) : 0;
  if (!payload || latency > k_plausible || latency < -k_plausible ||
      !m_ledgers[socket]->take(stream_of(payload->source, head), payload->sequence)) {
    ++m_foreign;
    return;
  }
  m_latency.add(latency);
}

}  // namespace sluice::app::load
