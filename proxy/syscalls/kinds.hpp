// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sluice::syscalls {

/// Whose calls are counted apart. The order is part of the interposer's binary interface.
enum class Role : std::uint32_t { forwarding, io, other };
inline constexpr unsigned k_roles = 3;

// The kinds counted, under the kernel's names. `unlisted` takes what a program asks for by number
// through syscall(2) and is not in this list. New names go to the end.
// clang-format off
#define SLUICE_SYSCALL_KINDS(X) \
  X(poll) X(ppoll) X(select) X(pselect6) X(epoll_wait) X(epoll_pwait) X(epoll_pwait2) \
  X(epoll_ctl) X(epoll_create) X(epoll_create1) X(eventfd2) X(timerfd_create) \
  X(timerfd_settime) X(read) X(readv) X(pread64) X(write) X(writev) X(pwrite64) \
  X(sendto) X(sendmsg) X(sendmmsg) X(recvfrom) X(recvmsg) X(recvmmsg) X(accept) \
  X(accept4) X(socket) X(socketpair) X(bind) X(listen) X(connect) X(shutdown) \
  X(close) X(getsockopt) X(setsockopt) X(getsockname) X(getpeername) X(fcntl) \
  X(ioctl) X(open) X(openat) X(unlink) X(unlinkat) X(fsync) X(fdatasync) X(getpid) \
  X(gettid) X(nanosleep) X(clock_nanosleep) X(sched_yield) X(pipe2) X(dup) X(lseek) \
  X(unlisted)
// clang-format on

enum Kind : unsigned {
#define SLUICE_KIND(name) k_##name,
  SLUICE_SYSCALL_KINDS(SLUICE_KIND)
#undef SLUICE_KIND
      k_kinds
};

inline constexpr const char* k_kind_names[] = {
#define SLUICE_KIND(name) #name,
    SLUICE_SYSCALL_KINDS(SLUICE_KIND)
#undef SLUICE_KIND
};

}  // namespace sluice::syscalls
