// SPDX-License-Identifier: Apache-2.0
#include "app/process/service_manager.hpp"

#include "core/base/fd.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace sluice::app {
namespace {

using namespace std::chrono_literals;

class ServiceManagerTest : public testing::Test {
 protected:
  ServiceManagerTest() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    EXPECT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  std::string received() const {
    char buffer[2048];
    const ssize_t size = ::recv(fd.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    return size < 0 ? "nothing" : std::string(buffer, static_cast<std::size_t>(size));
  }

  const test::ScratchDirectory scratch;
  const std::string path = (scratch / "notify").string();
  core::Fd fd{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

TEST_F(ServiceManagerTest, TellsALife) {
  ServiceManager manager(Notify(path), {});
  manager.state("too early");
  manager.reloading();
  EXPECT_EQ(received(), "nothing") << "not ready yet";
  EXPECT_TRUE(manager.ready("forwarding"));
  EXPECT_EQ(received(), "READY=1\nSTATUS=forwarding");
  manager.state("paused");
  EXPECT_EQ(received(), "STATUS=paused");
  manager.reloading();
  const std::string text = received();
  ASSERT_EQ(text.rfind("RELOADING=1\nMONOTONIC_USEC=", 0), 0U) << text;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const auto usec = std::stoll(text.substr(text.find("USEC=") + 5));
  EXPECT_LE(usec, now.tv_sec * 1'000'000LL + now.tv_nsec / 1'000);
  EXPECT_GT(usec, (now.tv_sec - 60) * 1'000'000LL);
  manager.reloaded("forwarding; the last reload failed:\nx.ini:1\x01");
  EXPECT_EQ(received(), "READY=1\nSTATUS=forwarding; the last reload failed: x.ini:1 ");
  manager.stopping("signal TERM");
  EXPECT_EQ(received(), "STOPPING=1\nSTATUS=stopping: signal TERM");
  manager.stopping("again");
  manager.state("paused");
  manager.reloaded("forwarding");
  EXPECT_EQ(received(), "nothing");
}

TEST_F(ServiceManagerTest, SignsOfLifeAreTiedToTheAnswer) {
  ServiceManager manager(Notify(path), 2s);
  auto now = ServiceManager::Clock::now() + 1s;
  manager.sign_of_life(now, [] { return false; });
  EXPECT_EQ(received(), "nothing");
  EXPECT_EQ(manager.next_sign(), now + 1s) << "half of what is asked for";
  manager.sign_of_life(now + 999ms, [] { return true; });
  EXPECT_EQ(received(), "nothing") << "not due";
  manager.sign_of_life(now + 1s, [] { return true; });
  EXPECT_EQ(received(), "WATCHDOG=1");
  manager.stopping("x");
  static_cast<void>(received());
  manager.sign_of_life(now + 3s, [] { return true; });
  EXPECT_EQ(received(), "WATCHDOG=1") << "to the end";
}

TEST_F(ServiceManagerTest, ReadsWhatItIsAskedFor) {
  const auto next = [this](const char* usec, const std::string& pid) {
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
    ::setenv("WATCHDOG_USEC", usec, 1);
    if (!pid.empty()) ::setenv("WATCHDOG_PID", pid.c_str(), 1);
    const ServiceManager manager = ServiceManager::from_environment();
    EXPECT_EQ(std::getenv("WATCHDOG_USEC"), nullptr);
    EXPECT_EQ(std::getenv("WATCHDOG_PID"), nullptr);
    return manager.next_sign().has_value();
  };
  EXPECT_TRUE(next("1000000", std::to_string(::getpid())));
  EXPECT_TRUE(next("1000000", ""));
  EXPECT_FALSE(next("1000000", "1"));
  EXPECT_FALSE(next("0", ""));
  EXPECT_FALSE(next("soon", ""));
  EXPECT_FALSE(ServiceManager::from_environment().next_sign());
}

TEST(ServiceManager, WithoutAManagerNothingIsMissed) {
  ServiceManager manager(Notify(""), 1s);
  EXPECT_TRUE(manager.ready("forwarding"));
  EXPECT_FALSE(manager.next_sign());
  EXPECT_FALSE(ServiceManager(Notify("/nonexistent/x"), {}).ready("forwarding"));
}

}  // namespace
}  // namespace sluice::app
