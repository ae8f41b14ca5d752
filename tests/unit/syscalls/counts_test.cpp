// SPDX-License-Identifier: Apache-2.0
#include "deltas.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

namespace sluice::test {
namespace {

TEST(SyscallCounts, SocketCallsUnderTheKernelsNames) {
  std::array<int, 2> ends{};
  char byte = 'x';
  const auto calls = calls_of([&] {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(::send(ends[0], &byte, 1, 0), 1);
      ASSERT_EQ(::recv(ends[1], &byte, 1, 0), 1);
    }
    ASSERT_EQ(::sendto(ends[0], &byte, 1, 0, nullptr, 0), 1);
    iovec piece{&byte, 1};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    ASSERT_EQ(::sendmsg(ends[0], &message, 0), 1);
    ASSERT_EQ(::recvmsg(ends[1], &message, 0), 1);
    ASSERT_EQ(::writev(ends[0], &piece, 1), 1);
    ASSERT_EQ(::readv(ends[1], &piece, 1), 1);
    int type = 0;
    socklen_t length = sizeof type;
    ASSERT_EQ(::getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &type, &length), 0);
    ASSERT_EQ(::shutdown(ends[0], SHUT_WR), 0);
    ::close(ends[0]);
    ::close(ends[1]);
  });
  EXPECT_EQ(calls.other, (SyscallTable{{"socketpair", 1},
                                       {"sendto", 4},
                                       {"recvfrom", 3},
                                       {"sendmsg", 1},
                                       {"recvmsg", 1},
                                       {"writev", 1},
                                       {"readv", 1},
                                       {"getsockopt", 1},
                                       {"shutdown", 1},
                                       {"close", 2}}));
  EXPECT_TRUE(calls.forwarding.empty());
  EXPECT_TRUE(calls.io.empty());
}

TEST(SyscallCounts, WaitingCalls) {
  const auto calls = calls_of([] {
    const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    const int event = ::eventfd(1, EFD_CLOEXEC);
    const int timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    const timespec shortly{0, 1};
    const itimerspec once{{}, shortly};
    ASSERT_EQ(::timerfd_settime(timer, 0, &once, nullptr), 0);
    epoll_event ready{};
    ready.events = EPOLLIN;
    ASSERT_EQ(::epoll_ctl(epoll, EPOLL_CTL_ADD, event, &ready), 0);
    for (int i = 0; i < 5; ++i) {
      ASSERT_EQ(::epoll_wait(epoll, &ready, 1, 0), 1);
    }
    ASSERT_EQ(::epoll_pwait(epoll, &ready, 1, 0, nullptr), 1);
    pollfd watch{event, POLLIN, 0};
    ASSERT_EQ(::poll(&watch, 1, 0), 1);
    ASSERT_EQ(::ppoll(&watch, 1, &shortly, nullptr), 1);
    timeval none{0, 0};
    ASSERT_EQ(::select(0, nullptr, nullptr, nullptr, &none), 0);
    ASSERT_EQ(::nanosleep(&shortly, nullptr), 0);
    ASSERT_EQ(::usleep(1), 0);
    ASSERT_EQ(::sched_yield(), 0);
    for (const int fd : {epoll, event, timer}) {
      ::close(fd);
    }
  });
  EXPECT_EQ(calls.other, (SyscallTable{{"epoll_create1", 1},
                                       {"eventfd2", 1},
                                       {"timerfd_create", 1},
                                       {"timerfd_settime", 1},
                                       {"epoll_ctl", 1},
                                       {"epoll_wait", 5},
                                       {"epoll_pwait", 1},
                                       {"poll", 1},
                                       {"ppoll", 1},
                                       {"pselect6", 1},
                                       {"clock_nanosleep", 2},
                                       {"sched_yield", 1},
                                       {"close", 3}}));
}

TEST(SyscallCounts, FilesIdentityAndCallsByNumber) {
  const auto calls = calls_of([] {
    const int fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    ASSERT_NE(::fcntl(fd, F_SETFL, O_NONBLOCK), -1);
    ASSERT_NE(::fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
    int unread = 0;
    ASSERT_EQ(::ioctl(fd, FIONREAD, &unread), -1);
    ASSERT_EQ(::getpid(), ::syscall(SYS_getpid));
    ASSERT_EQ(::syscall(SYS_write, fd, "x", 1), 1);
    ASSERT_GT(::syscall(SYS_getppid), 0);
    ::close(fd);
  });
  EXPECT_EQ(calls.other, (SyscallTable{{"openat", 1},
                                       {"fcntl", 2},
                                       {"ioctl", 1},
                                       {"getpid", 2},
                                       {"write", 1},
                                       {"unlisted", 1},
                                       {"close", 1}}));
}

extern "C" {
ssize_t checked_read(int fd, void* data, size_t size, size_t room) __asm__("__read_chk");
ssize_t checked_recv(int fd, void* data, size_t size, size_t room, int flags) __asm__("__recv_chk");
int checked_poll(pollfd* fds, nfds_t count, int timeout, size_t size) __asm__("__poll_chk");
}

TEST(SyscallCounts, FortifiedForms) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  ASSERT_EQ(::write(ends[0], "ab", 2), 2);
  char byte = 0;
  const auto calls = calls_of([&] {
    pollfd watch{ends[1], POLLIN, 0};
    ASSERT_EQ(checked_poll(&watch, 1, 0, sizeof watch), 1);
    ASSERT_EQ(checked_read(ends[1], &byte, 1, 1), 1);
    ASSERT_EQ(checked_recv(ends[1], &byte, 1, 1, 0), 1);
  });
  EXPECT_EQ(calls.other, (SyscallTable{{"poll", 1}, {"read", 1}, {"recvfrom", 1}}));
  EXPECT_EQ(byte, 'b');
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(SyscallCounts, ErrnoIsTheCallsOwn) {
  errno = 0;
  EXPECT_EQ(::close(-1), -1);
  EXPECT_EQ(errno, EBADF);
  errno = ENOTTY;
  EXPECT_GT(::getpid(), 0);
  EXPECT_EQ(::poll(nullptr, 0, 0), 0);
  EXPECT_EQ(errno, ENOTTY);
  EXPECT_EQ(::accept4(-1, nullptr, nullptr, 0), -1);
  EXPECT_EQ(errno, EBADF);
}

void write_in_handler(int) {
  const int saved = errno;
  ::getpid();
  errno = saved;
}

TEST(SyscallCounts, NothingIsLostToSignalHandlers) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = write_in_handler;
  ASSERT_EQ(::sigaction(SIGUSR2, &action, &before), 0);
  const auto calls = calls_of([] {
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(::raise(SIGUSR2), 0);
      ::getpid();
    }
  });
  ::sigaction(SIGUSR2, &before, nullptr);
  EXPECT_EQ(calls.other, (SyscallTable{{"getpid", 2000}}));
}

}  // namespace
}  // namespace sluice::test
