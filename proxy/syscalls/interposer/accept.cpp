// SPDX-License-Identifier: Apache-2.0
#include "syscalls/interposer/next.hpp"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// At the descriptor limit libzmq's ipc listeners abort and its tcp listeners spin. Armed, the spare
// descriptor makes room for a moment in which the waiting connection is taken and closed; the
// caller sees ECONNABORTED, which every libzmq treats as "nothing has happened".
namespace sluice::syscalls::interposer {

namespace {

constinit Next g_accept{"accept"};
constinit Next g_accept4{"accept4"};

constexpr int k_no_spare = -1;
std::atomic<bool> g_armed{false};
std::atomic<int> g_spare{k_no_spare};
std::atomic<std::uint64_t> g_shed{0};

constexpr std::int64_t k_told_every = 60;  // seconds
std::atomic<void (*)(void*)> g_told{nullptr};
std::atomic<void*> g_told_context{nullptr};
std::atomic<std::int64_t> g_next_told{0};

// Calls in this file go through our own wrappers, so they are counted like anybody's. The spare
// changes hands between threads in ways ThreadSanitizer cannot see: by number, past its wrappers.
void close_spare(int fd) {
  ::syscall(SYS_close, fd);
}

bool open_spare() {
  const int fd =
      static_cast<int>(::syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC, 0));
  int expected = k_no_spare;
  if (fd >= 0 && !g_spare.compare_exchange_strong(expected, fd)) {
    close_spare(fd);
  }
  return fd >= 0;
}

bool connection_waits(int listener) {
  pollfd watch{listener, POLLIN, 0};
  return ::poll(&watch, 1, 0) == 1 && (watch.revents & POLLIN) != 0;
}

void tell() {
  const auto told = g_told.load(std::memory_order_acquire);
  if (told == nullptr) {
    return;
  }
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  std::int64_t next = g_next_told.load(std::memory_order_relaxed);
  if (time.tv_sec >= next &&
      g_next_told.compare_exchange_strong(next, time.tv_sec + k_told_every)) {
    told(g_told_context.load(std::memory_order_relaxed));
  }
}

void turn_away(int fd) {
  g_shed.fetch_add(1, std::memory_order_relaxed);  // before the peer can see it
  ::close(fd);
  const int saved = errno;
  tell();
  errno = saved;
}

// Returns the errno value the caller is to see.
int shed(int listener) {
  if (!connection_waits(listener)) {
    return EAGAIN;  // the kernel looks for a descriptor first, also when nobody is there
  }
  const int spare = g_spare.exchange(k_no_spare);
  if (spare == k_no_spare) {
    // Another thread is using it, or it was lost to one that was quicker. Either way the listener
    // stays readable and its thread comes back at once: not too often.
    if (!open_spare()) {
      ::poll(nullptr, 0, 1);
    }
    return ECONNABORTED;
  }
  close_spare(spare);
  tally(k_accept4);
  const int fd = g_accept4.as<int(int, sockaddr*, socklen_t*, int)>()(listener, nullptr, nullptr,
                                                                      SOCK_CLOEXEC);
  if (fd >= 0) {
    turn_away(fd);
  }
  open_spare();
  return ECONNABORTED;
}

// While one thread has the spare closed, another thread's accept may succeed in its place. With
// that one kept there would be no spare any more: it is turned away like those before it.
bool took_the_spares_place() {
  if (g_spare.load(std::memory_order_relaxed) != k_no_spare) {
    return false;
  }
  const int saved = errno;
  const bool took = !open_spare() && (errno == EMFILE || errno == ENFILE);
  errno = saved;
  return took;
}

// What came of an accept; unarmed it costs one comparison.
int settle(int listener, int fd) {
  if (!g_armed.load(std::memory_order_relaxed)) {
    return fd;
  }
  if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
    errno = shed(listener);
  } else if (fd >= 0 && took_the_spares_place()) {
    turn_away(fd);
    open_spare();
    errno = ECONNABORTED;
    return -1;
  }
  return fd;
}

}  // namespace

SLUICE_INTERPOSED int counted_accept(int fd, sockaddr* address,
                                     socklen_t* length) __asm__("accept");
int counted_accept(int fd, sockaddr* address, socklen_t* length) {
  tally(k_accept);
  return settle(fd, g_accept.as<int(int, sockaddr*, socklen_t*)>()(fd, address, length));
}

SLUICE_INTERPOSED int counted_accept4(int fd, sockaddr* address, socklen_t* length,
                                      int flags) __asm__("accept4");
int counted_accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
  tally(k_accept4);
  return settle(fd,
                g_accept4.as<int(int, sockaddr*, socklen_t*, int)>()(fd, address, length, flags));
}

void resolve_accept() {
  g_accept.resolve();
  g_accept4.resolve();
}

int arm_shedding() {
  const int saved = errno;
  if (g_spare.load() == k_no_spare && !open_spare()) {
    const int why = errno;
    errno = saved;
    return why;
  }
  g_armed.store(true);
  errno = saved;
  return 0;
}

std::uint64_t shed_count() {
  return g_shed.load(std::memory_order_relaxed);
}

void on_shed(void (*told)(void* context), void* context) {
  g_told_context.store(context);
  g_told.store(told);
}

}  // namespace sluice::syscalls::interposer
