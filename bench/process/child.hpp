// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sluice::bench {

/// Owner of a program that runs beside this one, in a folder of its own that goes with it; what it
/// says is kept there. The destructor ends it, and so does the end of this process. Used by one
/// thread, which must live as long as the program is to.
class Child {
 public:
  /// Throws std::runtime_error. `folder` is taken over.
  Child(std::filesystem::path folder, const std::vector<std::string>& command);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] pid_t pid() const noexcept { return m_pid; }
  /// Returns once the endpoint takes connections; throws when the program ends, or with the time.
  void wait_listening(const std::string& endpoint, std::chrono::milliseconds timeout);

 private:
  [[nodiscard]] bool ended() noexcept;
  [[nodiscard]] std::string last_words() const;

  std::filesystem::path m_folder;
  pid_t m_pid = -1;
};

/// A fresh folder for one child.
[[nodiscard]] std::filesystem::path make_child_folder();

/// CPU time of all threads of a process, those that have ended too; 0 when it is gone.
[[nodiscard]] std::int64_t process_cpu_ns(pid_t process) noexcept;

/// Resident memory of a process in bytes: now, and the most it has had.
struct ProcessMemory {
  std::int64_t resident = 0;
  std::int64_t peak = 0;
};
[[nodiscard]] ProcessMemory process_memory(pid_t process);

}  // namespace sluice::bench
