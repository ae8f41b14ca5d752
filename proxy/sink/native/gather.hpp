// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/cursor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <sys/uio.h>

namespace sluice::sink {

/// The pieces of one gathered write.
class Gather {
 public:
  static constexpr std::size_t k_pieces = 1024;  ///< IOV_MAX

  explicit Gather(std::size_t max_bytes) noexcept : m_max(max_bytes) {}

  void add(std::string_view bytes) noexcept { add(bytes.data(), bytes.size()); }
  /// What follows `cursor`; `one_message`: only to the next chunk end between messages.
  void add(const Cursor& cursor, bool one_message) noexcept;

  [[nodiscard]] bool empty() const noexcept { return m_count == 0; }
  [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }
  [[nodiscard]] std::size_t pieces() const noexcept { return m_count; }
  [[nodiscard]] iovec* data() noexcept { return m_vector.data(); }

 private:
  [[nodiscard]] bool full() const noexcept { return m_count == k_pieces || m_bytes >= m_max; }
  void add(const void* at, std::uint64_t size) noexcept;

  std::array<iovec, k_pieces> m_vector;  // the first m_count are set
  std::size_t m_count = 0;
  std::size_t m_bytes = 0;
  std::size_t m_max;
};

}  // namespace sluice::sink
