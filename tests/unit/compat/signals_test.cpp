// SPDX-License-Identifier: Apache-2.0
// A handled signal ends the call with EINTR, whatever it is doing; nothing else does.
#include "rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::test {
namespace {

using testing::ElementsAre;
using testing::Optional;
using zmq::socket_type;

std::atomic<int> g_handled{0};
static_assert(std::atomic<int>::is_always_lock_free);

/// A handler for SIGUSR1 while it lives.
class Handler {
 public:
  explicit Handler(int flags = 0) {
    struct sigaction action {};
    action.sa_handler = [](int) { g_handled.fetch_add(1); };
    action.sa_flags = flags;
    g_handled = 0;
    ::sigaction(SIGUSR1, &action, &m_before);
  }
  ~Handler() { ::sigaction(SIGUSR1, &m_before, nullptr); }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

 private:
  struct sigaction m_before {};
};

/// A PAIR/PAIR call and both its peers.
struct Running {
  explicit Running(std::uint32_t flags = 0)
      : proxy(context, socket_type::pair, socket_type::pair, options(flags)) {
    proxy.start();
    EXPECT_TRUE(proxy.ask("PING"));
  }
  static Proxy::Options options(std::uint32_t flags) {
    Proxy::Options options;
    options.tuning.flags = flags;
    return options;
  }
  void interrupt() { pthread_kill(proxy.thread(), SIGUSR1); }
  void expect_eintr() {
    const auto result = proxy.result();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rc, -1);
    EXPECT_EQ(result->error, EINTR);
    EXPECT_EQ(g_handled, 1);
  }

  zmq::context_t context;
  Proxy proxy;
};

TEST(Signals, IdleIsEintr) {
  const Handler handler;
  Running r;
  r.interrupt();
  r.expect_eintr();
}

TEST(Signals, RestartingHandlersAreEintrToo) {
  const Handler handler{SA_RESTART};
  Running r;
  r.interrupt();
  r.expect_eintr();
}

TEST(Signals, PausedIsEintr) {
  const Handler handler;
  Running r;
  r.proxy.command("PAUSE");
  ASSERT_TRUE(r.proxy.ask("PING"));
  r.interrupt();
  r.expect_eintr();
}

// The loop never sleeps: the signal is noticed between two turns.
void flooded(bool both) {
  const Handler handler;
  Running r;
  std::atomic<bool> stop{false};
  const auto flood = [&](const char* endpoint) {
    auto socket = connected(r.context, socket_type::pair, endpoint);
    while (!stop) {
      (void)socket.send(zmq::str_buffer("x"), zmq::send_flags::dontwait);
      if (both) (void)receive_now(socket);
    }
  };
  std::thread front{flood, "inproc://front"};
  std::thread back{[&] {
    if (both) return flood("inproc://back");
    auto socket = connected(r.context, socket_type::pair, "inproc://back");
    while (!stop) (void)receive_now(socket);
  }};
  EXPECT_TRUE(eventually([&] { return r.proxy.statistics().at(0) > 10'000; }));
  r.interrupt();
  r.expect_eintr();
  stop = true;
  front.join();
  back.join();
}

TEST(Signals, FloodedIsEintr) {
  flooded(false);
}
TEST(Signals, FloodedBothWaysIsEintr) {
  flooded(true);
}

TEST(Signals, BlockedOnAFullPeerIsEintr) {
  const Handler handler;
  Running r;
  auto source = connected(r.context, socket_type::pair, "inproc://front");
  auto target = connected(r.context, socket_type::pair, "inproc://back");
  source.set(zmq::sockopt::sndtimeo, 50);
  while (send(source, {"x"})) {
  }
  r.interrupt();
  r.expect_eintr();
}

TEST(Signals, ContinueOnSignalGoesOn) {
  const Handler handler;
  Running r{SLUICE_CONTINUE_ON_SIGNAL};
  auto source = connected(r.context, socket_type::pair, "inproc://front");
  auto target = connected(r.context, socket_type::pair, "inproc://back");
  for (int i = 0; i < 100; ++i) {
    r.interrupt();
    ASSERT_TRUE(send(source, {std::to_string(i)}));
    ASSERT_THAT(receive(target), Optional(ElementsAre(std::to_string(i))));
  }
  EXPECT_TRUE(eventually([] { return g_handled > 0; }));
  const auto result = r.proxy.terminate();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rc, 0);
}

TEST(Signals, IgnoredOnesChangeNothing) {
  Running r;
  for (int i = 0; i < 10; ++i) {
    pthread_kill(r.proxy.thread(), SIGCHLD);
    pthread_kill(r.proxy.thread(), SIGWINCH);
    ASSERT_TRUE(r.proxy.ask("PING"));
  }
  const auto result = r.proxy.terminate();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rc, 0);
}

// The mask is the caller's again, and a blocked signal is none of the call's business.
TEST(Signals, MaskIsRestoredAndRespected) {
  const Handler handler;
  zmq::context_t context;
  auto front = make_socket(context, socket_type::pull);
  auto back = make_socket(context, socket_type::push);
  auto control = make_socket(context, socket_type::pair);
  control.bind("inproc://control");
  auto controller = connected(context, socket_type::pair, "inproc://control");
  std::thread thread{[&] {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    pthread_kill(pthread_self(), SIGUSR1);
    EXPECT_EQ(sluice_proxy_steerable(front.handle(), back.handle(), nullptr, control.handle()), 0);
    sigset_t after;
    pthread_sigmask(SIG_BLOCK, nullptr, &after);
    EXPECT_TRUE(sigismember(&after, SIGUSR1));
    EXPECT_FALSE(sigismember(&after, SIGUSR2));
    EXPECT_FALSE(sigismember(&after, SIGTERM));
    EXPECT_EQ(g_handled, 0);
  }};
  EXPECT_TRUE(send(controller, {"PING"}));
  EXPECT_TRUE(receive(controller));
  EXPECT_TRUE(send(controller, {"TERMINATE"}));
  thread.join();
}

// A stop and a continue interrupt epoll_wait(2); poll(2), and so stock, go on.
TEST(Signals, StopAndContinueGoOn) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    zmq::context_t context;
    auto front = make_socket(context, socket_type::pull);
    auto back = make_socket(context, socket_type::push);
    auto control = make_socket(context, socket_type::pair);
    control.bind("inproc://control");
    auto controller = connected(context, socket_type::pair, "inproc://control");
    std::thread steering{[&] {
      for (int i = 0; i < 3; ++i) {
        ::raise(SIGSTOP);
        send(controller, {"PING"});
        if (!receive(controller)) ::_exit(2);
      }
      send(controller, {"TERMINATE"});
    }};
    const int rc = sluice_proxy_steerable(front.handle(), back.handle(), nullptr, control.handle());
    steering.join();
    ::_exit(rc == 0 ? 0 : 1);
  }
  int status = 0;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
    ASSERT_TRUE(WIFSTOPPED(status)) << status;
    ::kill(child, SIGCONT);
  }
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace sluice::test
