// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/feed/payload.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

namespace sluice::app::load {

/// The sequence number of a probe: sent before a load only, so that subscribers know that their
/// subscriptions have reached every publisher.
inline constexpr std::uint64_t k_probe = ~std::uint64_t{0};

/// The numbered messages of one publisher and topic.
[[nodiscard]] std::uint64_t stream_of(std::string_view publisher, std::string_view topic) noexcept;
/// The same of a message received: of its source and of what stands before dots and numbers.
[[nodiscard]] std::uint64_t stream_of(std::uint64_t source,
                                      std::span<const std::byte> head) noexcept;

/// What one subscriber has received of each stream: what is missing, what came out of order. Used
/// by one thread.
class Ledger {
 public:
  /// `whole`: the streams are awaited from their first message on, so what is missing before the
  /// first one received is lost; else they are joined where they happen to be.
  explicit Ledger(bool whole = false) : m_whole(whole) {}

  /// False when there are too many streams to be true: the messages are somebody else's.
  bool take(std::uint64_t stream, std::uint64_t sequence);
  /// The number of messages that a stream has had in all: the rest is lost.
  void end(std::uint64_t stream, std::uint64_t total);

  [[nodiscard]] std::uint64_t received() const noexcept { return m_received; }
  [[nodiscard]] std::uint64_t lost() const noexcept { return m_lost; }
  [[nodiscard]] std::uint64_t disorder() const noexcept { return m_disorder; }
  [[nodiscard]] std::size_t streams() const noexcept { return m_next.size(); }

 private:
  bool m_whole;
  std::unordered_map<std::uint64_t, std::uint64_t> m_next;  // by stream
  std::uint64_t m_received = 0;
  std::uint64_t m_lost = 0;
  std::uint64_t m_disorder = 0;
};

}  // namespace sluice::app::load
