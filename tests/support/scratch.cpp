// SPDX-License-Identifier: Apache-2.0
#include "support/scratch.hpp"

#include <cerrno>
#include <fstream>
#include <stdlib.h>
#include <system_error>

namespace sluice::test {

ScratchDirectory::ScratchDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sluice-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), pattern);
  }
  m_path = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

std::string ScratchDirectory::ipc(const std::string& name) const {
  return "ipc://" + (m_path / name).string();
}

std::filesystem::path ScratchDirectory::write(const std::string& name,
                                              const std::string& text) const {
  const auto path = m_path / name;
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::system_error(errno, std::generic_category(), path.string());
  return path;
}

}  // namespace sluice::test
