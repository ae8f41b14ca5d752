// SPDX-License-Identifier: Apache-2.0
#include "app/log/stderr_writer.hpp"

#include "core/base/fd.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace sluice::app {
namespace {

struct Pipe {
  Pipe() {
    int fds[2];
    EXPECT_EQ(::pipe2(fds, O_CLOEXEC), 0);
    out = core::Fd(fds[0]);
    in = core::Fd(fds[1]);
    ::fcntl(out.get(), F_SETFL, O_NONBLOCK);
  }
  [[nodiscard]] std::string read_all() const {
    std::string text;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(out.get(), buffer, sizeof buffer)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(n));
    }
    return text;
  }
  core::Fd out;
  core::Fd in;
};

TEST(StderrWriter, WritesLines) {
  Pipe pipe;
  StderrWriter writer(pipe.in.get());
  writer.write("one\n");
  writer.write("two\n");
  EXPECT_EQ(pipe.read_all(), "one\ntwo\n");
}

TEST(StderrWriter, NeverWaitsForAReaderAndSaysWhatWasLost) {
  Pipe pipe;
  StderrWriter writer(pipe.in.get());
  for (int i = 0; i < 5000; ++i) writer.write("a line of some length that fills the pipe\n");
  EXPECT_GT(writer.lost(), 0U);
  const std::uint64_t lost = writer.lost();
  static_cast<void>(pipe.read_all());
  writer.write("after\n");
  const std::string text = pipe.read_all();
  EXPECT_NE(text.find(std::to_string(lost) + " log lines were lost"), std::string::npos) << text;
  EXPECT_EQ(text.substr(text.size() - 6), "after\n");
  EXPECT_EQ(writer.lost(), 0U);
}

TEST(StderrWriter, AClosedDescriptorIsNoError) {
  StderrWriter writer(-1);
  writer.write("nobody\n");
  EXPECT_EQ(writer.lost(), 1U);
}

}  // namespace
}  // namespace sluice::app
