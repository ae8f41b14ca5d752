// SPDX-License-Identifier: Apache-2.0
#include "config/replace_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace sluice::config {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void write_all(int fd, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write " + path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// A file beside the one to be replaced, gone unless it was put in its place.
class Beside {
 public:
  explicit Beside(const std::string& path) : m_path(path + ".new-XXXXXX") {
    m_fd = ::mkostemp(m_path.data(), O_CLOEXEC);
    if (m_fd < 0) fail("cannot write beside " + path);
  }
  ~Beside() {
    if (m_fd >= 0) ::close(m_fd);
    if (!m_path.empty()) ::unlink(m_path.c_str());
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  void fill(const std::string& text, const struct stat* like) {
    write_all(m_fd, text, m_path);
    const mode_t mode = like != nullptr ? like->st_mode & 07777U : 0644U;
    // An owner that cannot be kept is one we could not have been given the file by.
    if (like != nullptr && ::fchown(m_fd, like->st_uid, like->st_gid) != 0 && errno != EPERM) {
      fail("cannot set the owner of " + m_path);
    }
    if (::fchmod(m_fd, mode) != 0) fail("cannot set the mode of " + m_path);
    if (::fsync(m_fd) != 0) fail("cannot write " + m_path);
  }
  void put_in_place(const std::string& path) {
    if (::rename(m_path.c_str(), path.c_str()) != 0) fail("cannot replace " + path);
    m_path.clear();
  }

 private:
  std::string m_path;
  int m_fd = -1;
};

std::string free_backup(const std::string& path) {
  std::string name = path + ".bak";
  for (int n = 2; fs::exists(fs::symlink_status(name)); ++n) {
    name = path + ".bak." + std::to_string(n);
  }
  return name;
}

}  // namespace

std::string replace_file(const std::string& path, const std::string& text) {
  std::error_code none;
  const fs::path real = fs::canonical(path, none);
  const std::string target = none ? path : real.string();
  struct stat was {};
  const bool existed = ::stat(target.c_str(), &was) == 0;
  Beside file(target);
  file.fill(text, existed ? &was : nullptr);
  std::string backup;
  if (existed) {
    backup = free_backup(path);
    fs::copy_file(target, backup);
    static_cast<void>(::chown(backup.c_str(), was.st_uid, was.st_gid) == 0);
  }
  file.put_in_place(target);
  return backup;
}

}  // namespace sluice::config
