// SPDX-License-Identifier: Apache-2.0
#include "app/sidecar/control_thread.hpp"

#include "support/scratch.hpp"
#include "unit/core/control_fake.hpp"

#include <sluice/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>

namespace sluice::app {
namespace {

class ControlThreadTest : public testing::Test {
 protected:
  config::ControlOptions options(std::vector<std::string> bind) const {
    config::ControlOptions out;
    out.bind = std::move(bind);
    return out;
  }
  test::ScratchDirectory scratch;
  zmq::context_t context;
  core::FakeSteerable steerable;
  Log log{{}};
};

TEST_F(ControlThreadTest, BindsWithTheModeAndRemovesTheFile) {
  const auto path = scratch / "control.sock";
  {
    ControlThread control(context, options({scratch.ipc("control.sock")}));
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U);
    control.start(steerable, log);
    zmq::socket_t controller(context, zmq::socket_type::req);
    controller.set(zmq::sockopt::linger, 0);
    controller.set(zmq::sockopt::rcvtimeo, 5000);
    controller.connect(scratch.ipc("control.sock"));
    controller.send(zmq::str_buffer("PAUSE"), zmq::send_flags::none);
    zmq::message_t answer;
    ASSERT_TRUE(controller.recv(answer));
    EXPECT_EQ(answer.size(), 0U);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(steerable.calls, std::vector<std::string>{"pause"});
}

TEST_F(ControlThreadTest, AllOrNothing) {
  const std::string taken = scratch.ipc("taken.sock");
  const ControlThread first(context, options({taken}));
  try {
    const ControlThread second(context, options({scratch.ipc("free.sock"), taken}));
    FAIL();
  } catch (const EndpointError& e) {
    EXPECT_EQ(e.endpoint(), taken);
  }
  EXPECT_FALSE(std::filesystem::exists(scratch / "free.sock"));
  EXPECT_TRUE(std::filesystem::exists(scratch / "taken.sock"));
}

TEST_F(ControlThreadTest, TellsTheRealPort) {
  const ControlThread control(context, options({"tcp://127.0.0.1:*"}));
  ASSERT_EQ(control.endpoints().size(), 1U);
  EXPECT_EQ(control.endpoints()[0].find('*'), std::string::npos);
}

}  // namespace
}  // namespace sluice::app
