// SPDX-License-Identifier: Apache-2.0
#include "syscalls/interposer/next.hpp"

#include <cstdarg>
#include <sys/syscall.h>
#include <sys/types.h>

// Functions with optional arguments: all that could have been given are handed on, as the C library
// itself does it. Reading one that was not given yields whatever the register held; nobody uses it.
namespace sluice::syscalls::interposer {

namespace {

constinit Next g_fcntl{"fcntl"};
constinit Next g_fcntl64{"fcntl64"};
constinit Next g_ioctl{"ioctl"};
constinit Next g_open{"open"};
constinit Next g_open64{"open64"};
constinit Next g_openat{"openat"};
constinit Next g_openat64{"openat64"};
constinit Next g_open_2{"__open_2"};
constinit Next g_open64_2{"__open64_2"};
constinit Next g_openat_2{"__openat_2"};
constinit Next g_openat64_2{"__openat64_2"};
constinit Next g_syscall{"syscall"};

Kind kind_of(long number) {
  switch (number) {
#define SLUICE_NUMBER(name) \
  case SYS_##name:          \
    return k_##name;
#ifdef SYS_poll
    SLUICE_NUMBER(poll)
    SLUICE_NUMBER(select)
    SLUICE_NUMBER(epoll_wait)
    SLUICE_NUMBER(epoll_create)
    SLUICE_NUMBER(open)
    SLUICE_NUMBER(unlink)
#endif
#ifdef SYS_epoll_pwait2
    SLUICE_NUMBER(epoll_pwait2)
#endif
    SLUICE_NUMBER(ppoll)
    SLUICE_NUMBER(pselect6)
    SLUICE_NUMBER(epoll_pwait)
    SLUICE_NUMBER(epoll_ctl)
    SLUICE_NUMBER(epoll_create1)
    SLUICE_NUMBER(eventfd2)
    SLUICE_NUMBER(timerfd_create)
    SLUICE_NUMBER(timerfd_settime)
    SLUICE_NUMBER(read)
    SLUICE_NUMBER(readv)
    SLUICE_NUMBER(pread64)
    SLUICE_NUMBER(write)
    SLUICE_NUMBER(writev)
    SLUICE_NUMBER(pwrite64)
    SLUICE_NUMBER(sendto)
    SLUICE_NUMBER(sendmsg)
    SLUICE_NUMBER(sendmmsg)
    SLUICE_NUMBER(recvfrom)
    SLUICE_NUMBER(recvmsg)
    SLUICE_NUMBER(recvmmsg)
    SLUICE_NUMBER(accept)
    SLUICE_NUMBER(accept4)
    SLUICE_NUMBER(socket)
    SLUICE_NUMBER(socketpair)
    SLUICE_NUMBER(bind)
    SLUICE_NUMBER(listen)
    SLUICE_NUMBER(connect)
    SLUICE_NUMBER(shutdown)
    SLUICE_NUMBER(close)
    SLUICE_NUMBER(getsockopt)
    SLUICE_NUMBER(setsockopt)
    SLUICE_NUMBER(getsockname)
    SLUICE_NUMBER(getpeername)
    SLUICE_NUMBER(fcntl)
    SLUICE_NUMBER(ioctl)
    SLUICE_NUMBER(openat)
    SLUICE_NUMBER(unlinkat)
    SLUICE_NUMBER(fsync)
    SLUICE_NUMBER(fdatasync)
    SLUICE_NUMBER(getpid)
    SLUICE_NUMBER(gettid)
    SLUICE_NUMBER(nanosleep)
    SLUICE_NUMBER(clock_nanosleep)
    SLUICE_NUMBER(sched_yield)
    SLUICE_NUMBER(pipe2)
    SLUICE_NUMBER(dup)
    SLUICE_NUMBER(lseek)
#undef SLUICE_NUMBER
    default:
      return k_unlisted;
  }
}

}  // namespace

#define WRAP_CONTROL(function)                                                                     \
  SLUICE_INTERPOSED int counted_##function(int fd, unsigned long request, ...) __asm__(#function); \
  int counted_##function(int fd, unsigned long request, ...) {                                     \
    tally(k_##function);                                                                           \
    std::va_list more;                                                                             \
    va_start(more, request);                                                                       \
    void* const argument = va_arg(more, void*);                                                    \
    va_end(more);                                                                                  \
    return g_##function.as<int(int, unsigned long, ...)>()(fd, request, argument);                 \
  }
WRAP_CONTROL(ioctl)

#define WRAP_FCNTL(function)                                                             \
  SLUICE_INTERPOSED int counted_##function(int fd, int command, ...) __asm__(#function); \
  int counted_##function(int fd, int command, ...) {                                     \
    tally(k_fcntl);                                                                      \
    std::va_list more;                                                                   \
    va_start(more, command);                                                             \
    void* const argument = va_arg(more, void*);                                          \
    va_end(more);                                                                        \
    return g_##function.as<int(int, int, ...)>()(fd, command, argument);                 \
  }
WRAP_FCNTL(fcntl)
WRAP_FCNTL(fcntl64)

#define WRAP_OPEN(function)                                                                      \
  SLUICE_INTERPOSED int counted_##function(const char* path, int flags, ...) __asm__(#function); \
  int counted_##function(const char* path, int flags, ...) {                                     \
    tally(k_openat);                                                                             \
    std::va_list more;                                                                           \
    va_start(more, flags);                                                                       \
    const auto mode = va_arg(more, unsigned);                                                    \
    va_end(more);                                                                                \
    return g_##function.as<int(const char*, int, ...)>()(path, flags, mode);                     \
  }
WRAP_OPEN(open)
WRAP_OPEN(open64)

#define WRAP_OPENAT(function)                                                                \
  SLUICE_INTERPOSED int counted_##function(int directory, const char* path, int flags,       \
                                           ...) __asm__(#function);                          \
  int counted_##function(int directory, const char* path, int flags, ...) {                  \
    tally(k_openat);                                                                         \
    std::va_list more;                                                                       \
    va_start(more, flags);                                                                   \
    const auto mode = va_arg(more, unsigned);                                                \
    va_end(more);                                                                            \
    return g_##function.as<int(int, const char*, int, ...)>()(directory, path, flags, mode); \
  }
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)

// The fortified forms without a mode.
#define WRAP_OPEN_2(function, label)                                                    \
  SLUICE_INTERPOSED int counted_##function(const char* path, int flags) __asm__(label); \
  int counted_##function(const char* path, int flags) {                                 \
    tally(k_openat);                                                                    \
    return g_##function.as<int(const char*, int)>()(path, flags);                       \
  }
WRAP_OPEN_2(open_2, "__open_2")
WRAP_OPEN_2(open64_2, "__open64_2")

#define WRAP_OPENAT_2(function, label)                                            \
  SLUICE_INTERPOSED int counted_##function(int directory, const char* path,       \
                                           int flags) __asm__(label);             \
  int counted_##function(int directory, const char* path, int flags) {            \
    tally(k_openat);                                                              \
    return g_##function.as<int(int, const char*, int)>()(directory, path, flags); \
  }
WRAP_OPENAT_2(openat_2, "__openat_2")
WRAP_OPENAT_2(openat64_2, "__openat64_2")

SLUICE_INTERPOSED long counted_syscall(long number, ...) __asm__("syscall");
long counted_syscall(long number, ...) {
  tally(kind_of(number));
  std::va_list more;
  va_start(more, number);
  const long a = va_arg(more, long);
  const long b = va_arg(more, long);
  const long c = va_arg(more, long);
  const long d = va_arg(more, long);
  const long e = va_arg(more, long);
  const long f = va_arg(more, long);
  va_end(more);
  return g_syscall.as<long(long, ...)>()(number, a, b, c, d, e, f);
}

void resolve_variadic() {
  for (Next* next : {&g_fcntl, &g_fcntl64, &g_ioctl, &g_open, &g_open64, &g_openat, &g_openat64,
                     &g_open_2, &g_open64_2, &g_openat_2, &g_openat64_2, &g_syscall}) {
    next->resolve();
  }
}

}  // namespace sluice::syscalls::interposer
