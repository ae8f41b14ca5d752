// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/ipc_files.hpp"

#include <map>
#include <mutex>
#include <unistd.h>

namespace sluice::core {
namespace {

struct File {
  std::string directory;
  dev_t device;
  ino_t inode;
  pid_t pid;
};

struct Files {
  std::mutex mutex;
  std::map<std::string, File> by_path;
};

// Never destroyed: owners may outlive main.
Files& files() {
  static auto* const s_files = new Files;
  return *s_files;
}

}  // namespace

void note_ipc_file(const std::string& path, const std::string& directory, const struct stat& made) {
  const std::lock_guard lock{files().mutex};
  files().by_path[path] = {directory, made.st_dev, made.st_ino, ::getpid()};
}

void forget_ipc_file(const std::string& path) noexcept {
  const std::lock_guard lock{files().mutex};
  files().by_path.erase(path);
}

void remove_all_ipc_files() noexcept {
  const std::lock_guard lock{files().mutex};
  for (const auto& [path, file] : files().by_path) {
    struct stat there {};
    if (file.pid != ::getpid() || ::lstat(path.c_str(), &there) != 0) continue;
    if (there.st_dev != file.device || there.st_ino != file.inode) continue;
    ::unlink(path.c_str());
    if (!file.directory.empty()) ::rmdir(file.directory.c_str());
  }
  files().by_path.clear();
}

}  // namespace sluice::core
