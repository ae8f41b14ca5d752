// SPDX-License-Identifier: Apache-2.0
#include "app/ctl/control_client.hpp"

#include "app/sidecar/control_thread.hpp"
#include "support/deadline.hpp"
#include "support/scratch.hpp"
#include "unit/core/control_fake.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace sluice::app {
namespace {

using config::ControlType;
using std::chrono::milliseconds;

class ControlClientTest : public testing::Test {
 protected:
  ControlTarget start(ControlType type) {
    config::ControlOptions options;
    options.bind = {scratch.ipc("control.sock")};
    options.type = type;
    control = std::make_unique<ControlThread>(context, options);
    control->start(steerable, log);
    return {options.bind[0], type};
  }
  test::ScratchDirectory scratch;
  zmq::context_t context;
  core::FakeSteerable steerable;
  Log log{{}};
  std::unique_ptr<ControlThread> control;
};

TEST_F(ControlClientTest, AsksRepAndRouter) {
  for (const auto type : {ControlType::rep, ControlType::router}) {
    const ControlTarget target = start(type);
    ControlClient client(target, test::patience());
    EXPECT_EQ(client.request("PAUSE"), Frames{""});
    EXPECT_EQ(client.request("GET k"), Frames{"OK v"});
    EXPECT_EQ(client.request("STATISTICS").value().size(), 8U);
    control.reset();
  }
}

TEST_F(ControlClientTest, PairAnswersQuestionsOnly) {
  const ControlTarget target = start(ControlType::pair);
  ControlClient client(target, test::patience());
  EXPECT_FALSE(client.request("PAUSE"));
  EXPECT_EQ(client.request("PING"), Frames{"OK"});
}

TEST_F(ControlClientTest, OneWayCommandsArriveAlthoughTheClientLeaves) {
  for (const auto type : {ControlType::sub, ControlType::pull}) {
    steerable.calls.clear();
    steerable.count = 0;
    const ControlTarget target = start(type);
    {
      ControlClient client(target, test::patience());
      EXPECT_FALSE(client.request("PAUSE"));
    }
    EXPECT_TRUE(test::eventually([this] { return steerable.count == 1; }));
    control.reset();
    EXPECT_EQ(steerable.calls, std::vector<std::string>{"pause"});
  }
}

TEST_F(ControlClientTest, ADeadEndpointIsUnreachableInTime) {
  for (const auto type :
       {ControlType::rep, ControlType::pair, ControlType::pull, ControlType::sub}) {
    ControlClient client({scratch.ipc("nobody.sock"), type}, milliseconds(50));
    EXPECT_THROW(client.request("PING"), Unreachable);
  }
  EXPECT_THROW(ControlClient({"nonsense"}, milliseconds(50)), Unreachable);
}

TEST_F(ControlClientTest, SeesTheOtherSideClose) {
  const ControlTarget target = start(ControlType::rep);
  ControlClient client(target, test::patience());
  client.request("PING");
  EXPECT_FALSE(client.wait_closed(milliseconds(1)));
  control.reset();
  EXPECT_TRUE(client.wait_closed(test::patience()));
}

}  // namespace
}  // namespace sluice::app
