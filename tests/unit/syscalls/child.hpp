// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"
#include "support/deadline.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sluice::test {

/// For programs that are traced, preloaded or short of descriptors: no leak check at the end, which
/// cannot work there, and no complaint about a library before the sanitizer's.
inline constexpr const char* k_calm_sanitizers =
    "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0";

/// A program with its standard input and output in our hands; killed if it is still there at the
/// end. One thread.
class Child {
 public:
  /// Looks the program up in PATH. Throws where it cannot be started. `settings` are NAME=value,
  /// added to the environment.
  explicit Child(std::vector<std::string> command, std::vector<std::string> settings = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The next line of its output; nothing at its end or when this long nothing has come.
  [[nodiscard]] std::optional<std::string> line(std::chrono::milliseconds silence = patience());
  void tell(const std::string& text);
  /// Waits for its end: the exit code, or minus the signal that ended it.
  [[nodiscard]] int wait();
  [[nodiscard]] pid_t pid() const { return m_pid; }

 private:
  pid_t m_pid = -1;
  core::Fd m_input;
  core::Fd m_output;
  std::string m_buffer;
};

}  // namespace sluice::test
