// SPDX-License-Identifier: Apache-2.0
#include "app/ctl/ctl_endpoint.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace sluice::app {
namespace {

constexpr const char* k_sink =
    "[sink s]\nbind = tcp://127.0.0.1:*\n[source f]\nbind = ipc:///tmp/f\n";

class CtlEndpoint : public testing::Test {
 protected:
  std::string file(const std::string& control, const std::string& name) const {
    return scratch.write(name, k_sink + control).string();
  }
  test::ScratchDirectory scratch;
};

TEST_F(CtlEndpoint, TheOrderIsFlagVariableFileDefault) {
  const std::string one = file("[control]\nbind = ipc:///tmp/one\ntype = router\n", "one.ini");
  const std::string two = file("[control]\nbind = ipc:///tmp/two\n", "two.ini");
  EXPECT_EQ(find_control("ipc:///e", "ipc:///v", one, two).endpoint, "ipc:///e");
  EXPECT_EQ(find_control({}, "ipc:///v", one, two).endpoint, "ipc:///v");
  EXPECT_EQ(find_control({}, "", one, two).endpoint, "ipc:///tmp/one");
  EXPECT_EQ(find_control({}, nullptr, one, two).type, config::ControlType::router);
  EXPECT_EQ(find_control({}, nullptr, {}, two).endpoint, "ipc:///tmp/two");
}

TEST_F(CtlEndpoint, SaysWhereItLooked) {
  try {
    static_cast<void>(find_control({}, nullptr, {}, "/nonexistent.ini"));
    FAIL();
  } catch (const Unreachable& e) {
    for (const char* part : {"-e", "SLUICE_CONTROL", "-c", "/nonexistent.ini"}) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << part;
    }
  }
  EXPECT_THROW(static_cast<void>(find_control({}, nullptr, file("", "none.ini"))), Unreachable);
  EXPECT_THROW(static_cast<void>(find_control({}, nullptr, "/nonexistent.ini")), Unreachable);
}

TEST_F(CtlEndpoint, WildcardsBecomeConnectable) {
  EXPECT_EQ(connectable("tcp://*:5"), "tcp://127.0.0.1:5");
  EXPECT_EQ(connectable("tcp://0.0.0.0:5"), "tcp://127.0.0.1:5");
  EXPECT_EQ(connectable("tcp://[::]:5"), "tcp://[::1]:5");
  EXPECT_EQ(connectable("ipc:///tmp/x"), "ipc:///tmp/x");
}

}  // namespace
}  // namespace sluice::app
