// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/ipc_listener.hpp"

#include "core/endpoint/ipc_files.hpp"

#include <sluice/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using sluice::EndpointError;
using sluice::IpcFileOptions;
using sluice::core::Fd;
using sluice::core::IpcListener;
using sluice::core::listen_ipc;
namespace fs = std::filesystem;

class IpcListenerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "sl-ipc-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    m_directory = name;
  }
  void TearDown() override {
    ::umask(m_umask);
    fs::remove_all(m_directory);
  }
  [[nodiscard]] std::string path(const std::string& name = "s") const {
    return m_directory + "/" + name;
  }
  [[nodiscard]] std::string endpoint(const std::string& name = "s") const {
    return "ipc://" + path(name);
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator{m_directory}) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  static bool reachable(const std::string& address) {
    const Fd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    address.copy(&un.sun_path[0], address.size());
    if (address[0] == '@') un.sun_path[0] = '\0';
    const std::size_t zero = address[0] == '@' ? 0 : 1;
    const auto size =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size() + zero);
    return ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&un), size) == 0;
  }
  static std::optional<EndpointError> refusal(const std::string& where,
                                              const IpcFileOptions& file = {}) {
    try {
      static_cast<void>(listen_ipc(where, file));
    } catch (const EndpointError& error) {
      return error;
    }
    return std::nullopt;
  }
  static mode_t mode_of(const std::string& file) {
    struct stat info {};
    return ::stat(file.c_str(), &info) == 0 ? info.st_mode & 07777U : 0U;
  }

  std::string m_directory;
  mode_t m_umask = ::umask(0022);
};

TEST_F(IpcListenerTest, ListensAndRemovesItsFile) {
  {
    const IpcListener listener = listen_ipc(endpoint(), {});
    EXPECT_EQ(listener.endpoint, endpoint());
    EXPECT_TRUE(reachable(path()));
    EXPECT_EQ(files(), std::vector<std::string>{"s"});
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(IpcListenerTest, ModeIsExactWhateverTheUmask) {
  for (const mode_t umask : {0000U, 0022U, 0077U, 0777U}) {
    ::umask(umask);
    for (const unsigned mode : {0600U, 0660U, 0666U}) {
      IpcFileOptions file;
      file.mode = mode;
      const IpcListener listener = listen_ipc(endpoint(), file);
      EXPECT_EQ(mode_of(path()), mode);
    }
  }
}

TEST_F(IpcListenerTest, GroupByNameAndNumber) {
  IpcFileOptions file;
  file.group = std::to_string(::getegid());
  {
    const IpcListener listener = listen_ipc(endpoint(), file);
    EXPECT_EQ(mode_of(path()), 0660U);
  }
  file.group = "no-such-group-here";
  const auto error = refusal(endpoint(), file);
  ASSERT_TRUE(error);
  EXPECT_NE(std::string{error->what()}.find("no-such-group-here"), std::string::npos);
  EXPECT_TRUE(files().empty());
}

TEST_F(IpcListenerTest, RefusesALiveListenerAndLeavesIt) {
  const IpcListener first = listen_ipc(endpoint(), {});
  const auto error = refusal(endpoint());
  ASSERT_TRUE(error);
  EXPECT_EQ(error->error(), EADDRINUSE);
  EXPECT_EQ(error->endpoint(), endpoint());
  EXPECT_TRUE(reachable(path()));
}

TEST_F(IpcListenerTest, RefusesEverythingThatIsNoSocket) {
  std::ofstream{path("file")} << "precious";
  fs::create_directory(path("directory"));
  fs::create_symlink("/nowhere", path("link"));
  EXPECT_EQ(refusal(endpoint("file"))->error(), EEXIST);
  EXPECT_EQ(refusal(endpoint("directory"))->error(), EISDIR);
  EXPECT_EQ(refusal(endpoint("link"))->error(), EEXIST);
  EXPECT_EQ(refusal(endpoint("missing/s"))->error(), ENOENT);
  EXPECT_EQ(refusal(endpoint("file/s"))->error(), ENOTDIR);
  EXPECT_EQ(files().size(), 3U);
  std::string content;
  std::ifstream{path("file")} >> content;
  EXPECT_EQ(content, "precious");
}

TEST_F(IpcListenerTest, ReplacesADeadSocket) {
  {
    const Fd dead{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    path().copy(&un.sun_path[0], path().size());
    ASSERT_EQ(::bind(dead.get(), reinterpret_cast<const sockaddr*>(&un), sizeof un), 0);
  }
  EXPECT_EQ(files().size(), 1U);
  const IpcListener listener = listen_ipc(endpoint(), {});
  EXPECT_TRUE(reachable(path()));
}

TEST_F(IpcListenerTest, LeavesAFileThatIsNotItsOwnAnyMore) {
  {
    const IpcListener listener = listen_ipc(endpoint(), {});
    fs::remove(path());
    std::ofstream{path()} << "somebody else's";
  }
  EXPECT_TRUE(fs::is_regular_file(path()));
}

TEST_F(IpcListenerTest, AForkedChildLeavesTheFile) {
  {
    IpcListener listener = listen_ipc(endpoint(), {});
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      listener.guard.remove();
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(reachable(path()));
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(IpcListenerTest, LengthLimitIs107) {
  const std::string name(sluice::core::k_ipc_path_max - m_directory.size() - 1, 'x');
  {
    const IpcListener listener = listen_ipc(endpoint(name), {});
    EXPECT_EQ(path(name).size(), 107U);
    EXPECT_TRUE(reachable(path(name)));
  }
  const auto error = refusal(endpoint(name + "y"));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->error(), ENAMETOOLONG);
  const std::string text = error->what();
  EXPECT_NE(text.find("107"), std::string::npos);
  EXPECT_NE(text.find(path(name + "y")), std::string::npos);
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(refusal("ipc://@" + std::string(108, 'a'))->error(), ENAMETOOLONG);
}

TEST_F(IpcListenerTest, AbstractNames) {
  const std::string name = "@sluice-test-" + std::to_string(::getpid());
  const IpcListener listener = listen_ipc("ipc://" + name, {});
  EXPECT_EQ(listener.endpoint, "ipc://" + name);
  EXPECT_TRUE(reachable(name));
  EXPECT_EQ(refusal("ipc://" + name)->error(), EADDRINUSE);
  EXPECT_EQ(refusal("ipc://@")->error(), EINVAL);
  EXPECT_EQ(refusal("ipc://")->error(), EINVAL);
  EXPECT_TRUE(files().empty());
}

TEST_F(IpcListenerTest, WildcardTellsItsPathAndLeavesNothing) {
  std::string where;
  {
    const IpcListener listener = listen_ipc("ipc://*", {});
    where = listener.endpoint.substr(6);
    EXPECT_TRUE(reachable(where));
    EXPECT_EQ(mode_of(fs::path{where}.parent_path().string()), 0700U);
  }
  EXPECT_FALSE(fs::exists(fs::path{where}.parent_path()));
}

TEST_F(IpcListenerTest, ARelativePathIsReportedAbsolute) {
  const fs::path before = fs::current_path();
  fs::current_path(m_directory);
  {
    const IpcListener listener = listen_ipc("ipc://r.sock", {});
    fs::current_path(before);
    EXPECT_EQ(fs::path{listener.endpoint.substr(6)}, fs::canonical(m_directory) / "r.sock");
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(IpcListenerTest, OneOfManyStartersWins) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> winners{0};
    std::atomic<int> losers{0};
    std::vector<std::optional<IpcListener>> held(8);
    std::vector<std::thread> starters;
    for (auto& mine : held) {
      starters.emplace_back([&] {
        try {
          mine = listen_ipc(endpoint(), {});
          ++winners;
        } catch (const EndpointError&) {
          ++losers;
        }
      });
    }
    for (auto& starter : starters) starter.join();
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(losers, 7);
    EXPECT_TRUE(reachable(path()));
    held.clear();
    EXPECT_TRUE(files().empty());
  }
}

TEST_F(IpcListenerTest, AMoveKeepsOneOwner) {
  IpcListener first = listen_ipc(endpoint(), {});
  IpcListener second = std::move(first);
  EXPECT_TRUE(reachable(path()));
  second.guard.remove();
  second.guard.remove();
  EXPECT_TRUE(files().empty());
}

TEST_F(IpcListenerTest, AProcessThatLeavesAtOnceRemovesWhatIsStillItsOwn) {
  const IpcListener mine = listen_ipc(endpoint("mine"), {});
  const IpcListener anywhere = listen_ipc("ipc://*", {});
  IpcListener gone = listen_ipc(endpoint("gone"), {});
  gone.guard.remove();
  std::ofstream(path("gone")) << "somebody else's";
  const IpcListener taken = listen_ipc(endpoint("taken"), {});
  fs::remove(path("taken"));
  std::ofstream(path("taken")) << "somebody else's";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    sluice::core::remove_all_ipc_files();
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(fs::exists(path("mine"))) << "a child's leaving is not ours";
  sluice::core::remove_all_ipc_files();
  EXPECT_FALSE(fs::exists(path("mine")));
  EXPECT_FALSE(fs::exists(fs::path(anywhere.guard.path()).parent_path()));
  EXPECT_TRUE(fs::exists(path("gone")));
  EXPECT_TRUE(fs::exists(path("taken")));
}

}  // namespace
