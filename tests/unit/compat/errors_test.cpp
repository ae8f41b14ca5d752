// SPDX-License-Identifier: Apache-2.0
// What the call returns, and errno.
#include "rig.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::test {
namespace {

using zmq::socket_type;

int error_of(int rc) {
  const int error = errno;
  EXPECT_EQ(rc, -1);
  return error;
}

TEST(Errors, NullSocketIsEfault) {
  zmq::context_t context;
  auto socket = make_socket(context, socket_type::pull);
  EXPECT_EQ(error_of(sluice_proxy_steerable(nullptr, socket.handle(), nullptr, nullptr)), EFAULT);
  EXPECT_EQ(error_of(sluice_proxy_steerable(socket.handle(), nullptr, nullptr, nullptr)), EFAULT);
}

TEST(Errors, ValuesOutOfRangeAreEinval) {
  zmq::context_t context;
  auto front = make_socket(context, socket_type::pull);
  auto back = make_socket(context, socket_type::push);
  const auto refuses = [&](auto change) {
    sluice_tuning tuning = default_tuning();
    change(tuning);
    return error_of(sluice_proxy_tuned(front.handle(), back.handle(), nullptr, nullptr, &tuning));
  };
  EXPECT_EQ(refuses([](auto& t) { t.size = 0; }), EINVAL);
  EXPECT_EQ(refuses([](auto& t) { t.size = sizeof t - 1; }), EINVAL);
  EXPECT_EQ(refuses([](auto& t) { t.inbound_poll_rate = 0; }), EINVAL);
  EXPECT_EQ(refuses([](auto& t) { t.inbound_poll_rate = 1'000'000'001; }), EINVAL);
  EXPECT_EQ(refuses([](auto& t) { t.flags = 2; }), EINVAL);
  EXPECT_EQ(refuses([](auto& t) { t.max_command_delay_us = 10'000'001; }), EINVAL);
  EXPECT_EQ(refuses([](auto& t) { t.max_command_delay_us = UINT64_MAX; }), EINVAL);
  EXPECT_EQ(refuses([](auto& t) { t.coalesce_delay_us = 100'001; }), EINVAL);
  EXPECT_EQ(refuses([](auto& t) { t.max_topic = 8193; }), EINVAL);
}

TEST(Errors, FieldsOfALaterVersionMustBeZero) {
  struct Later {
    sluice_tuning tuning;
    std::uint64_t more;
  };
  zmq::context_t context;
  auto front = make_socket(context, socket_type::pull);
  auto back = make_socket(context, socket_type::push);
  Later later{default_tuning(), 1};
  later.tuning.size = sizeof later;
  EXPECT_EQ(
      error_of(sluice_proxy_tuned(front.handle(), back.handle(), nullptr, nullptr, &later.tuning)),
      EINVAL);
  later.more = 0;
  context.shutdown();
  EXPECT_EQ(
      error_of(sluice_proxy_tuned(front.handle(), back.handle(), nullptr, nullptr, &later.tuning)),
      ETERM);
}

TEST(Errors, NotASocketIsEnotsock) {
  zmq::context_t context;
  auto socket = make_socket(context, socket_type::pull);
  std::vector<std::uint64_t> nothing(512);
  EXPECT_EQ(error_of(sluice_proxy_steerable(nothing.data(), socket.handle(), nullptr, nullptr)),
            ENOTSOCK);
  EXPECT_EQ(
      error_of(sluice_proxy_steerable(socket.handle(), socket.handle(), nothing.data(), nullptr)),
      ENOTSOCK);
  EXPECT_EQ(
      error_of(sluice_proxy_steerable(socket.handle(), socket.handle(), nullptr, nothing.data())),
      ENOTSOCK);
}

TEST(Errors, ShutDownBeforeIsEterm) {
  zmq::context_t context;
  auto front = make_socket(context, socket_type::pull);
  auto back = make_socket(context, socket_type::push);
  context.shutdown();
  EXPECT_EQ(error_of(sluice_proxy_steerable(front.handle(), back.handle(), nullptr, nullptr)),
            ETERM);
}

void shut_down_during(bool flood, bool pause) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::pair, socket_type::pair};
  auto source = connected(context, socket_type::pair, "inproc://front");
  auto target = connected(context, socket_type::pair, "inproc://back");
  proxy.start();
  ASSERT_TRUE(proxy.ask("PING"));
  if (pause) proxy.command("PAUSE");
  ASSERT_TRUE(proxy.ask("PING"));
  std::thread sender;
  if (flood) {
    ASSERT_TRUE(send(source, {"x"}));
    if (!pause) {
      ASSERT_TRUE(receive(target));
    }
    sender = std::thread{[&] {
      try {
        for (;;) {
          (void)source.send(zmq::str_buffer("x"), zmq::send_flags::dontwait);
          (void)receive_now(target);
        }
      } catch (const zmq::error_t&) {
      }
    }};
  }
  context.shutdown();
  const auto result = proxy.result();
  if (sender.joinable()) sender.join();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rc, -1);
  EXPECT_EQ(result->error, ETERM);
  proxy.close();
}

TEST(Errors, ShutDownWhileIdleIsEterm) {
  shut_down_during(false, false);
}
TEST(Errors, ShutDownWhilePausedIsEterm) {
  shut_down_during(false, true);
}
TEST(Errors, ShutDownUnderFloodIsEterm) {
  for (int i = 0; i < 20; ++i) shut_down_during(true, false);
}
TEST(Errors, ShutDownWhilePausedUnderFloodIsEterm) {
  shut_down_during(true, true);
}

// libzmq answers every call on a parent's socket with EINTR there: no endless retries.
TEST(Errors, InAForkedChildIsEintr) {
  zmq::context_t context;
  auto front = make_socket(context, socket_type::pull);
  auto back = make_socket(context, socket_type::push);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const int rc = sluice_proxy_steerable(front.handle(), back.handle(), nullptr, nullptr);
    ::_exit(rc == -1 && errno == EINTR ? 0 : 1);
  }
  int status = -1;
  ASSERT_TRUE(eventually([&] { return ::waitpid(child, &status, WNOHANG) == child; }));
  EXPECT_EQ(status, 0);
}

TEST(Errors, OptionsAreNeverChanged) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::xsub, socket_type::xpub};
  const auto options = [&] {
    return std::vector<int>{
        proxy.front().get(zmq::sockopt::rcvhwm),   proxy.front().get(zmq::sockopt::sndhwm),
        proxy.front().get(zmq::sockopt::rcvtimeo), proxy.back().get(zmq::sockopt::sndhwm),
        proxy.back().get(zmq::sockopt::rcvhwm),    proxy.back().get(zmq::sockopt::linger)};
  };
  const auto before = options();
  proxy.start();
  ASSERT_TRUE(proxy.ask("PING"));
  ASSERT_TRUE(proxy.terminate());
  EXPECT_EQ(options(), before);
}

}  // namespace
}  // namespace sluice::test
