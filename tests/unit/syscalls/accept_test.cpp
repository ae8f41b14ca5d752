// SPDX-License-Identifier: Apache-2.0
#include "core/base/fd.hpp"
#include "syscalls/shed.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::test {
namespace {

constexpr int k_connections = 100;

struct Queue {
  core::Fd listener;
  std::vector<core::Fd> connections;
};

Queue full_queue() {
  Queue queue{core::Fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)}, {}};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socklen_t length = sizeof address.sun_family;  // the kernel picks an abstract name
  EXPECT_EQ(::bind(queue.listener.get(), reinterpret_cast<sockaddr*>(&address), length), 0);
  EXPECT_EQ(::listen(queue.listener.get(), 128), 0);
  length = sizeof address;
  ::getsockname(queue.listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
  for (int i = 0; i < k_connections; ++i) {
    queue.connections.emplace_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(
        ::connect(queue.connections.back().get(), reinterpret_cast<sockaddr*>(&address), length),
        0);
  }
  return queue;
}

void use_up_descriptors() {
  const rlimit limit{300, 300};
  ::setrlimit(RLIMIT_NOFILE, &limit);
  while (::open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) {
  }
}

// Accepts until nobody is left; false where anything else than shedding was seen.
bool shed_all(int listener) {
  for (;;) {
    if (::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC) >= 0) {
      return false;
    }
    if (errno == EAGAIN) {
      return true;
    }
    if (errno != ECONNABORTED) {
      return false;
    }
  }
}

int result_of(pid_t child) {
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(AcceptAtTheLimit, SaysWhatTheKernelSaysUnlessArmed) {
  const Queue queue = full_queue();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);  // never outlives its test
    use_up_descriptors();
    const bool refused = ::accept(queue.listener.get(), nullptr, nullptr) < 0 && errno == EMFILE;
    ::_exit(refused && syscalls::shed_connections() == 0 ? 0 : 1);
  }
  EXPECT_EQ(result_of(child), 0);
}

TEST(AcceptAtTheLimit, TwoThreadsShedThroughOneSpare) {
  Queue first = full_queue();
  Queue second = full_queue();
  const pid_t child = ::fork();
  if (child == 0) {
    first.connections.clear();
    second.connections.clear();
    const bool armed = syscalls::arm_descriptor_shedding();
    std::atomic<int> told{0};
    syscalls::on_shed([](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &told);
    ::alarm(30);  // never outlives its test
    use_up_descriptors();
    bool emptied[2] = {false, false};
    std::thread other{[&] { emptied[1] = shed_all(second.listener.get()); }};
    emptied[0] = shed_all(first.listener.get());
    other.join();
    const bool all = syscalls::shed_connections() == 2 * k_connections;
    const bool once = told == 1;  // a minute, whatever comes
    ::_exit((armed ? 0 : 1) | (emptied[0] ? 0 : 2) | (emptied[1] ? 0 : 4) | (all ? 0 : 8) |
            (once ? 0 : 16));
  }
  EXPECT_EQ(result_of(child), 0);
}

}  // namespace
}  // namespace sluice::test
