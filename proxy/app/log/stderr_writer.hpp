// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unistd.h>

namespace sluice::app {

/// Writes lines to a descriptor without ever waiting for its reader. Used under the log's lock.
class StderrWriter {
 public:
  explicit StderrWriter(int fd = STDERR_FILENO) noexcept : m_fd(fd) {}

  void write(std::string_view line);
  [[nodiscard]] std::uint64_t lost() const noexcept { return m_lost; }

 private:
  [[nodiscard]] bool has_room() const noexcept;
  bool write_all(std::string_view text) noexcept;

  int m_fd;
  std::uint64_t m_lost = 0;
  bool m_torn = false;  ///< the last line was cut
};

}  // namespace sluice::app
