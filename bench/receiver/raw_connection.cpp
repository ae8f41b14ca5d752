// SPDX-License-Identifier: Apache-2.0
#include "receiver/raw_connection.hpp"

#include "receiver/zmtp_words.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sluice::bench {

namespace {

constexpr std::size_t k_command_limit = 64U << 10;

}  // namespace

RawConnection::RawConnection(const std::string& endpoint, std::size_t subscriber,
                             std::vector<std::string> topics)
    : Connection(endpoint), m_subscriber(subscriber), m_topics(std::move(topics)) {}

void RawConnection::on_connected() {
  write_all(zmtp_greeting());
}

void RawConnection::send_subscriptions() {
  std::string out;
  for (const auto& topic : m_topics) out += zmtp_subscription(topic);
  write_all(out);
  m_topics.clear();
  m_topics.shrink_to_fit();
  m_state = State::open;
}

std::size_t RawConnection::consume(std::span<const std::byte> in, Tally& tally,
                                   std::int64_t now_ns) {
  std::size_t consumed = 0;
  while (consumed < in.size()) {
    const auto used = parse(in.subspan(consumed), tally, now_ns);
    if (used == 0) break;
    consumed += used;
  }
  return consumed;
}

std::size_t RawConnection::parse(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns) {
  if (m_state == State::greeting) {
    if (in.size() < k_zmtp_greeting_size) return 0;
    write_all(zmtp_ready());
    m_state = State::ready;
    return k_zmtp_greeting_size;
  }
  if (m_skip == 0) return parse_frame(in, tally, now_ns);
  const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(m_skip, in.size()));
  m_skip -= take;
  if (m_skip == 0 && m_counted) tally.on_message(m_subscriber, m_header, m_size, now_ns);
  return take;
}

std::size_t RawConnection::parse_frame(std::span<const std::byte> in, Tally& tally,
                                       std::int64_t now_ns) {
  if (in.size() < 2) return 0;
  const auto flags = std::to_integer<unsigned>(in[0]);
  std::size_t head = 2;
  std::uint64_t size = std::to_integer<std::uint64_t>(in[1]);
  if ((flags & k_zmtp_long) != 0) {
    head = 9;
    if (in.size() < head) return 0;
    for (std::size_t i = 2; i < head; ++i)
      size = size << 8U | std::to_integer<std::uint64_t>(in[i]);
  }
  const auto body = in.subspan(head);
  if ((flags & k_zmtp_command) != 0) {
    if (size > k_command_limit) throw std::runtime_error("command too long");
    if (body.size() < size) return 0;
    on_command(body.first(static_cast<std::size_t>(size)));
    return head + static_cast<std::size_t>(size);
  }
  const bool first = !m_more;
  const bool counted = first && size >= k_header_size;
  if (counted && body.size() < k_header_size) return 0;
  m_more = (flags & k_zmtp_more) != 0;
  if (body.size() >= size) {
    const auto whole = static_cast<std::size_t>(size);
    if (counted) tally.on_message(m_subscriber, read_header(body.data()), whole, now_ns);
    return head + whole;
  }
  m_counted = counted;
  if (counted) m_header = read_header(body.data());
  m_size = static_cast<std::size_t>(size);
  m_skip = size - body.size();
  return in.size();
}

void RawConnection::on_command(std::span<const std::byte> body) {
  if (body.empty()) return;
  const auto length = std::to_integer<std::size_t>(body[0]);
  if (body.size() < 1 + length) throw std::runtime_error("malformed command");
  const std::string name(reinterpret_cast<const char*>(body.data()) + 1, length);
  if (name == "READY" && m_state == State::ready) {
    send_subscriptions();
  } else if (name == "ERROR") {
    throw std::runtime_error("refused by the other end");
  } else if (name == "PING" && body.size() >= 7) {
    const auto context = body.subspan(7);
    std::string pong = "\x04";
    pong += static_cast<char>(5 + context.size());
    pong += "\x04PONG";
    pong.append(reinterpret_cast<const char*>(context.data()), context.size());
    write_all(pong);
  }
}

}  // namespace sluice::bench
