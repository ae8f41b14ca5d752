// SPDX-License-Identifier: Apache-2.0
#include "syscalls/interposer/blocks.hpp"
#include "syscalls/interposer_api.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Every process under `sluice trace` counts into a file of its own: what it has counted is there
// however it ends, _exit and SIGKILL included, and a forked child and a program started by exec
// each begin another. Calls go past the wrappers: just after a fork the counters are still the
// parent's.
namespace sluice::syscalls::interposer {

namespace {

using Syscall = long(long, ...);
Syscall* g_syscall = nullptr;
char g_directory[3072] = "";
bool g_mapped = false;

std::uint64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

bool place(int fd, bool forked) {
  if (g_syscall(SYS_fallocate, long{fd}, 0L, 0L, static_cast<long>(sizeof(Region))) != 0 &&
      errno != EOPNOTSUPP) {
    return false;  // no room: a write to the mapping would be a SIGBUS
  }
  if (g_syscall(SYS_ftruncate, long{fd}, static_cast<long>(sizeof(Region))) != 0) {
    return false;
  }
  if (!forked && g_syscall(SYS_pwrite64, long{fd}, &g_region, sizeof(Region), 0L) !=
                     static_cast<long>(sizeof(Region))) {
    return false;
  }
  return ::mmap(&g_region, sizeof(Region), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
         MAP_FAILED;
}

void describe(std::uint64_t started, long pid) {
  RegionHeader& header = g_region.header;
  const long length = g_syscall(SYS_readlinkat, static_cast<long>(AT_FDCWD), "/proc/self/exe",
                                header.program, sizeof header.program - 1);
  header.program[length > 0 ? length : 0] = '\0';
  header.kinds = k_kinds;
  header.blocks = k_blocks;
  header.block_size = sizeof(Block);
  header.pid = static_cast<std::uint32_t>(pid);
  header.started_ns = started;
  header.magic = k_trace_magic;
}

}  // namespace

bool start_trace(bool forked) {
  const int saved = errno;
  if (!forked) {
    const char* const directory = std::getenv(SLUICE_TRACE_VARIABLE);
    g_syscall = reinterpret_cast<Syscall*>(::dlsym(RTLD_NEXT, "syscall"));
    if (directory != nullptr && std::strlen(directory) < sizeof g_directory) {
      std::strcpy(g_directory, directory);
    }
  }
  bool placed = false;
  if (g_directory[0] != '\0' && g_syscall != nullptr) {
    const std::uint64_t started = now_ns();
    const long pid = g_syscall(SYS_getpid);
    char path[sizeof g_directory + 64];
    std::snprintf(path, sizeof path, "%s/%ld-%llu.calls", g_directory, pid,
                  static_cast<unsigned long long>(started));
    const long fd = g_syscall(SYS_openat, static_cast<long>(AT_FDCWD), path,
                              static_cast<long>(O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC), 0600L);
    if (fd >= 0) {
      placed = place(static_cast<int>(fd), forked);
      if (placed) {
        describe(started, pid);
      } else {
        g_syscall(SYS_unlinkat, static_cast<long>(AT_FDCWD), path, 0L);
      }
      g_syscall(SYS_close, fd);
    }
  }
  if (!placed && g_mapped) {  // in a child without a file: leave the parent's alone
    placed = ::mmap(&g_region, sizeof(Region), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  g_mapped = placed;
  errno = saved;
  return placed;
}

}  // namespace sluice::syscalls::interposer
