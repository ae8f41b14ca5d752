// SPDX-License-Identifier: Apache-2.0
#include "scratch.hpp"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace sluice::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_prefix = "sluice-bench-";  // then the process id, and six characters

/// Removed at the normal end of the process that has made it, and of no child of that.
struct Folder {
  std::mutex mutex;
  fs::path path;
  pid_t owner = 0;

  Folder() = default;
  ~Folder() { remove(); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void remove() noexcept {
    std::error_code ignored;
    if (owner == getpid()) fs::remove_all(path, ignored);
    owner = 0;
  }
};

Folder g_folder;

fs::path make_folder() {
  const auto name = std::string(k_prefix) + std::to_string(getpid()) + "-XXXXXX";
  std::string path = (fs::temp_directory_path() / name).string();
  if (mkdtemp(path.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "mkdtemp");
  }
  return path;
}

void remove_folder() noexcept {
  const std::lock_guard lock(g_folder.mutex);
  g_folder.remove();
}

void remove_orphans() noexcept {
  std::error_code error;
  for (fs::directory_iterator item(fs::temp_directory_path(error), error), end;
       !error && item != end; item.increment(error)) {
    const auto name = item->path().filename().string();
    if (!name.starts_with(k_prefix)) continue;
    pid_t owner = 0;
    const auto* const first = name.data() + k_prefix.size();
    const auto parsed = std::from_chars(first, name.data() + name.size(), owner);
    const bool ours = parsed.ec == std::errc{} && owner > 0;
    std::error_code ignored;
    if (ours && kill(owner, 0) != 0 && errno == ESRCH) fs::remove_all(item->path(), ignored);
  }
}

sigset_t ending_signals() noexcept {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

void wait_for_the_end() {
  const sigset_t set = ending_signals();
  int number = 0;
  while (sigwait(&set, &number) != 0) {
  }
  remove_folder();
  // As if it had never been caught: children with PR_SET_PDEATHSIG end with this process.
  std::signal(number, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(number);
}

}  // namespace

const fs::path& scratch_folder() {
  const std::lock_guard lock(g_folder.mutex);
  if (g_folder.owner != getpid()) {
    g_folder.path = make_folder();
    g_folder.owner = getpid();
  }
  return g_folder.path;
}

ScratchGuard::ScratchGuard() {
  remove_orphans();
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread(wait_for_the_end).detach();
}

ScratchGuard::~ScratchGuard() {
  remove_folder();
}

void reset_signals() noexcept {
  const sigset_t set = ending_signals();
  std::signal(SIGPIPE, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace sluice::bench
