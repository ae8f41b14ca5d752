// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using test::errors_of;
using test::k_small;

std::string warnings_of(const std::string& text) {
  std::string out;
  for (const Warning& warning : test::loaded(text).warnings) out += warning.to_string() + "\n";
  return out;
}

TEST(Combinations, AdaptiveChoosesTheDelayItself) {
  EXPECT_EQ(
      errors_of("tuning = adaptive\ncoalesce_delay = 1ms\n" + k_small),
      "t.ini:2: coalesce_delay and tuning = adaptive exclude each other: adaptive chooses the "
      "delay within latency_budget; leave coalesce_delay out or set it to 0\n");
  EXPECT_EQ(errors_of("tuning = adaptive\ncoalesce_delay = 0\nlatency_budget = 2ms\n" + k_small),
            "");
  EXPECT_EQ(warnings_of("latency_budget = 2ms\n" + k_small),
            "t.ini:1: latency_budget counts with tuning = adaptive only\n");
}

TEST(Combinations, EnginesAndPolicies) {
  EXPECT_EQ(
      errors_of(k_small + "engine = zmq\non_full = disconnect\n"),
      "t.ini:7: on_full = disconnect needs engine = native: libzmq does not tell who is slow; "
      "use drop or block\n");
  EXPECT_EQ(
      errors_of("[sink k]\nconnect = tcp://h:5\non_full = disconnect\n"),
      "t.ini:3: on_full = disconnect needs engine = native: libzmq does not tell who is slow; "
      "use drop or block\n");
  EXPECT_EQ(errors_of("[sink k]\nengine = native\nconnect = tcp://h:5\n"),
            "t.ini:3: engine = native only binds; use engine = zmq for connect\n");
  EXPECT_EQ(errors_of(k_small + "engine = native\non_full = disconnect\n"), "");
  EXPECT_EQ(warnings_of(k_small + "engine = zmq\nout_batch = 8k\n"),
            "t.ini:7: out_batch has no effect on [sink edge], which is served by the zmq engine\n");
}

TEST(Combinations, EverySectionNeedsItsEndpoints) {
  EXPECT_EQ(errors_of(k_small + "[source x]\n"), "t.ini:6: [source x] needs bind = or connect =\n");
  EXPECT_EQ(errors_of(k_small + "[sink x]\n"), "t.ini:6: [sink x] needs bind = or connect =\n");
  EXPECT_EQ(errors_of(k_small + "[control]\n"), "t.ini:6: [control] needs bind = ipc://PATH\n");
  EXPECT_EQ(
      errors_of("[route a]\n"),
      "t.ini:1: [route a] has no sink; add [sink NAME] with bind = tcp://*:PORT or ipc://PATH\n");
  EXPECT_EQ(
      errors_of(""),
      "[route default] has no sink; add [sink NAME] with bind = tcp://*:PORT or ipc://PATH\n");
  EXPECT_EQ(warnings_of("[route a]\n[sink x]\nbind = ipc:///x\n"),
            "t.ini:1: [route a] has no source until one is attached\n");
}

TEST(Combinations, Counts) {
  std::string many = "[route a]\n";
  for (int i = 0; i < 65; ++i) {
    many += "[sink s" + std::to_string(i) + "]\nbind = ipc:///" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(errors_of(many), "t.ini:1: [route a] has 65 sinks; allowed: 64\n");
  EXPECT_EQ(errors_of(k_small + "[tap a]\nbind=ipc:///a\n[tap b]\nbind=ipc:///b\n"),
            "t.ini:1: [route market] has several taps; allowed: one\n");
}

TEST(Combinations, Plugins) {
  EXPECT_EQ(errors_of(k_small + "[plugin p]\n"), "t.ini:6: [plugin p] needs path = /.../name.so\n");
  EXPECT_EQ(errors_of(k_small + "[plugin p]\npath = p.so\n"),
            "t.ini:7: path = p.so: not a complete path; write it from / on\n");
}

TEST(Combinations, F_10_ExtremeValues) {
  EXPECT_EQ(errors_of(k_small + "[process]\nio_threads = 0\n"),
            "t.ini:7: io_threads = 0: out of range; allowed: 1 to 64\n");
  EXPECT_EQ(errors_of(k_small + "[process]\nio_threads = 100000\n"),
            "t.ini:7: io_threads = 100000: out of range; allowed: 1 to 64\n");
  EXPECT_EQ(errors_of(k_small + "[process]\nio_threads = 4\nio_cpus = 0,1\n"), "");
  EXPECT_EQ(errors_of(k_small + "send_hwm = 1\n"), "");
  EXPECT_EQ(errors_of(k_small + "[process]\nio_cpus = 0,x\n"),
            "t.ini:7: io_cpus = x: not a processor; allowed: 0 to 1023, with commas between\n");
}

TEST(Combinations, Links) {
  EXPECT_EQ(errors_of(k_small + "heartbeat_timeout = 1s\n"),
            "t.ini:6: heartbeat_timeout is less than heartbeat_interval\n");
  EXPECT_EQ(errors_of(k_small + "reconnect_interval = 3s\n"),
            "t.ini:4: reconnect_interval_max is less than reconnect_interval\n");
}

TEST(Combinations, Topics) {
  EXPECT_EQ(errors_of("max_topic = 3\nsubscribe = abcd\n" + k_small),
            "t.ini:2: subscribe: a topic of 4 bytes; max_topic is 3\n");
  EXPECT_EQ(errors_of(k_small + "[generator g]\nsize = 2\ntopics = abc\n"),
            "t.ini:8: topics: 'abc' is longer than size = 2\n");
}

TEST(Combinations, AdminServer) {
  EXPECT_EQ(errors_of(k_small + "[admin]\nhttp = 127.0.0.1:9464\n"), "");
  EXPECT_EQ(errors_of(k_small + "[admin]\n"), "");
  EXPECT_EQ(errors_of(k_small + "[admin]\nhttp = example.org:80\n"),
            "t.ini:7: http = example.org:80: the address is not numeric; write 127.0.0.1:9464, "
            "[::1]:9464 or a port alone\n");
  EXPECT_EQ(errors_of(k_small + "[admin]\nhttp = 9464\nchanges = yes\n"),
            "t.ini:8: changes = yes needs token_file = /.../token\n");
  EXPECT_EQ(errors_of(k_small + "[admin]\nhttp = 9464\nchanges = yes\ntoken_file = token\n"),
            "t.ini:9: token_file = token: not a complete path; write it from / on\n");
}

}  // namespace
}  // namespace sluice::config
