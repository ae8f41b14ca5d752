// SPDX-License-Identifier: Apache-2.0
#include "app/process/notify.hpp"

#include "core/base/fd.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>

namespace sluice::app {
namespace {

core::Fd listen_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path.front() == '@') address.sun_path[0] = '\0';
  core::Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  EXPECT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), length), 0);
  return fd;
}

std::string received(const core::Fd& fd) {
  char buffer[256];
  const ssize_t size = ::recv(fd.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  return size < 0 ? "nothing" : std::string(buffer, static_cast<std::size_t>(size));
}

TEST(Notify, ReachesAPathAndAnAbstractName) {
  const test::ScratchDirectory scratch;
  for (const std::string& path :
       {(scratch / "notify").string(), "@sluice-test-notify-" + std::to_string(::getpid())}) {
    const core::Fd manager = listen_at(path);
    const Notify notify(path);
    EXPECT_TRUE(notify.is_wanted());
    EXPECT_TRUE(notify.send("READY=1"));
    EXPECT_EQ(received(manager), "READY=1");
  }
}

TEST(Notify, DoesNothingWithoutAManager) {
  EXPECT_FALSE(Notify("").is_wanted());
  EXPECT_FALSE(Notify("").send("READY=1"));
  EXPECT_FALSE(Notify("relative").send("READY=1"));
  EXPECT_FALSE(Notify("/nonexistent/notify").send("READY=1"));
  EXPECT_FALSE(Notify("/" + std::string(300, 'x')).send("READY=1"));
}

TEST(Notify, TakesTheVariableOutOfTheEnvironment) {
  ::setenv("NOTIFY_SOCKET", "/run/x", 1);
  EXPECT_TRUE(Notify::from_environment().is_wanted());
  EXPECT_EQ(std::getenv("NOTIFY_SOCKET"), nullptr);
  EXPECT_FALSE(Notify::from_environment().is_wanted());
}

}  // namespace
}  // namespace sluice::app
