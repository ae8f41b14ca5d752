// SPDX-License-Identifier: Apache-2.0
#include "scratch.hpp"

#include "socket.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::bench {
namespace {

namespace fs = std::filesystem;

/// Runs `body` in a child of its own; the status that waitpid has.
template <typename Body>
int in_child(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

class Scratch : public testing::Test {
 protected:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "scratch-test-XXXXXX").string();
    m_folder = mkdtemp(name.data());
    setenv("TMPDIR", m_folder.c_str(), 1);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() override {
    unsetenv("TMPDIR");
    fs::remove_all(m_folder);
  }
  fs::path m_folder;
};

void leave_something() {
  std::ofstream(scratch_folder() / "log") << "words";
  fs::create_directory(scratch_folder() / "child");
}

TEST_F(Scratch, GoesWithItsGuard) {
  EXPECT_EQ(in_child([] {
              const ScratchGuard guard;
              leave_something();
            }),
            0);
  EXPECT_TRUE(fs::is_empty(m_folder));
}

TEST_F(Scratch, GoesWithASignalThatEndsTheProcess) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    const int status = in_child([number] {
      const ScratchGuard guard;
      leave_something();
      kill(getpid(), number);
      for (;;) pause();
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
    EXPECT_TRUE(fs::is_empty(m_folder)) << number;
  }
}

TEST_F(Scratch, OfAKilledProcessGoesWithTheNextGuard) {
  const int status = in_child([] {
    const ScratchGuard guard;
    leave_something();
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(fs::is_empty(m_folder));
  fs::create_directory(m_folder / ("sluice-bench-" + std::to_string(getpid()) + "-alive"));
  fs::create_directory(m_folder / "somebody-else");
  EXPECT_EQ(in_child([] { const ScratchGuard guard; }), 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator{}), 2);
}

TEST(FreshEndpoint, IsOfTheTransportAsked) {
  EXPECT_EQ(fresh_endpoint("tcp"), "tcp://127.0.0.1:*");
  EXPECT_TRUE(fresh_endpoint("abstract").starts_with("ipc://@sluice-bench-"));
  EXPECT_NE(fresh_endpoint("ipc"), fresh_endpoint("ipc"));
  EXPECT_EQ(fs::path(fresh_endpoint("ipc").substr(6)).parent_path(), scratch_folder());
}

}  // namespace
}  // namespace sluice::bench
