// SPDX-License-Identifier: Apache-2.0
#include "config/admin_address.hpp"

#include "config/value.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

std::string read(std::string_view text) {
  const AdminAddress address = parse_admin_address(text);
  return address.host + " " + std::to_string(address.port) +
         (address.is_loopback() ? " loopback" : "");
}

TEST(AdminAddress, LoopbackUnlessSaid) {
  EXPECT_EQ(read("9464"), "127.0.0.1 9464 loopback");
  EXPECT_EQ(read("localhost:9464"), "127.0.0.1 9464 loopback");
  EXPECT_EQ(read("127.0.0.1:*"), "127.0.0.1 0 loopback");
  EXPECT_EQ(read("[::1]:80"), "::1 80 loopback");
  EXPECT_EQ(read("0.0.0.0:80"), "0.0.0.0 80");
  EXPECT_EQ(read("[::]:80"), ":: 80");
}

TEST(AdminAddress, RefusesTheRest) {
  for (const char* text : {"", ":", "host:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "::1:80",
                           "65536", "1.2.3.4:-1", "1.2.3.4:80x", "[::1", "http://127.0.0.1:80"}) {
    EXPECT_THROW(static_cast<void>(parse_admin_address(text)), BadValue) << text;
  }
}

}  // namespace
}  // namespace sluice::config
