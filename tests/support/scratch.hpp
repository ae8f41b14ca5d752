// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace sluice::test {

/// A fresh directory, removed with all that is in it. Its path is short (ipc paths end at 107
/// bytes). One owner, any thread.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return m_path / name;
  }
  /// "ipc://<directory>/<name>"
  [[nodiscard]] std::string ipc(const std::string& name) const;
  /// Writes a file with this text and returns its path.
  [[nodiscard]] std::filesystem::path write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path m_path;
};

}  // namespace sluice::test
