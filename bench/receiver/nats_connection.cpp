// SPDX-License-Identifier: Apache-2.0
#include "receiver/nats_connection.hpp"

#include "nats.hpp"

#include <charconv>
#include <stdexcept>
#include <utility>

namespace sluice::bench {

namespace {

// Half of the buffer that all connections share.
constexpr std::size_t k_unit_limit = 128U << 10;
constexpr std::string_view k_end_of_line = "\r\n";

/// The last word of "MSG subject sid [reply] size".
std::size_t payload_size(std::string_view line) {
  const auto digits = line.substr(line.rfind(' ') + 1);
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (error != std::errc{} || end != digits.data() + digits.size() || size > k_unit_limit) {
    throw std::runtime_error("bad line: " + std::string(line));
  }
  return size;
}

}  // namespace

NatsConnection::NatsConnection(const std::string& endpoint, std::size_t subscriber,
                               std::vector<std::string> subjects)
    : Connection(endpoint), m_subscriber(subscriber), m_subjects(std::move(subjects)) {}

void NatsConnection::on_closed() {
  if (!m_open) throw std::runtime_error("closed by the other end");
  close();
}

std::size_t NatsConnection::consume(std::span<const std::byte> in, Tally& tally,
                                    std::int64_t now_ns) {
  const std::string_view text(reinterpret_cast<const char*>(in.data()), in.size());
  std::size_t consumed = 0;
  while (consumed < text.size()) {
    const auto used = parse(text.substr(consumed), tally, now_ns);
    if (used == 0) break;
    consumed += used;
  }
  if (text.size() - consumed > k_unit_limit) throw std::runtime_error("message too long");
  return consumed;
}

std::size_t NatsConnection::parse(std::string_view in, Tally& tally, std::int64_t now_ns) {
  const auto end = in.find('\n');
  if (end == std::string_view::npos) return 0;
  const auto head = end + 1;
  if (head < k_end_of_line.size() || in[end - 1] != '\r') throw std::runtime_error("bad line");
  const auto line = in.substr(0, end - 1);
  if (line.starts_with("MSG ")) {
    const auto size = payload_size(line);
    const auto whole = head + size + k_end_of_line.size();
    if (in.size() < whole) return 0;
    if (size >= k_header_size) {
      const auto* const payload = reinterpret_cast<const std::byte*>(in.data()) + head;
      tally.on_message(m_subscriber, read_header(payload), size, now_ns);
    }
    return whole;
  }
  if (line.starts_with("INFO") && !m_open) {
    std::string out(k_nats_connect);
    std::size_t id = 0;
    for (const auto& subject : m_subjects) {
      out += "SUB " + subject + ' ' + std::to_string(++id) + "\r\n";
    }
    write_all(out);
    m_open = true;
  } else if (line == "PING") {
    write_all(k_nats_pong);
  }
  // -ERR says why the server is about to close; that is seen when it does.
  return head;
}

}  // namespace sluice::bench
