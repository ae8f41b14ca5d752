// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using test::k_small;
using test::loaded;

std::string text(const std::string& before, const std::string& after) {
  std::string out;
  for (const Difference& d : diff(loaded(before), loaded(after))) {
    constexpr const char* k_names[] = {"live", "recreate", "added", "removed", "restart"};
    out += d.to_string() + " (" + k_names[static_cast<std::size_t>(d.effect)] + ")\n";
  }
  return out;
}

TEST(Diff, NothingChanged) {
  EXPECT_EQ(text(k_small, k_small), "");
  EXPECT_EQ(text(k_small, k_small + "send_hwm = 10k # as the default\n"), "");
}

TEST(Diff, LiveAndNot) {
  EXPECT_EQ(text(k_small, "inbound_poll_rate = 5\nlinger = 1s\n" + k_small),
            "t.ini:1: route.market.inbound_poll_rate: 1000 -> 5 (live)\n"
            "t.ini:2: route.market.linger: 500ms -> 1s (live)\n");
  EXPECT_EQ(text("subscribe = a\nmax_topic = 10\n" + k_small,
                 "subscribe = b\nmax_topic = 11\n" + k_small),
            "t.ini:1: route.market.subscribe: a -> b (live)\n"
            "t.ini:2: route.market.max_topic: 10 -> 11 needs a restart (restart)\n");
  EXPECT_EQ(text(k_small, k_small + "[process]\nio_threads = 2\n[log]\nlevel = debug\n"),
            "t.ini:7: process.io_threads: 1 -> 2 needs a restart (restart)\n"
            "t.ini:9: log.level: info -> debug (live)\n");
}

TEST(Diff, AValueThatIsGoneNamesItsSection) {
  EXPECT_EQ(text(k_small + "send_hwm = 5\n", k_small),
            "t.ini:4: sink.edge.send_hwm: 5 -> 10000 (recreate)\n");
}

TEST(Diff, SectionsComeAndGo) {
  const std::string more = k_small + "[sink two]\nbind = ipc:///two\n";
  EXPECT_EQ(text(k_small, more), "t.ini:6: sink.two is new (added)\n");
  EXPECT_EQ(text(more, k_small), "t.ini:6: sink.two is gone (removed)\n");
}

TEST(Diff, PluginsNeedARestart) {
  const std::string more = k_small + "[plugin p]\npath = /p.so\n";
  EXPECT_EQ(text(k_small, more), "t.ini:6: plugin.p is new and needs a restart (restart)\n");
  EXPECT_EQ(text(more, k_small), "t.ini:6: plugin.p is gone and needs a restart (restart)\n");
}

TEST(Diff, WhatAnswersAReloadStays) {
  const std::string more = k_small + "[control]\nbind = ipc:///c\n";
  EXPECT_EQ(text(k_small, more), "t.ini:6: control is new and needs a restart (restart)\n");
  EXPECT_EQ(text(more, more + "mode = 0660\n"),
            "t.ini:8: control.mode: 0600 -> 0660 needs a restart (restart)\n");
}

TEST(Diff, OnFull) {
  const std::string native = k_small + "engine = native\n";
  EXPECT_EQ(text(native, native + "on_full = disconnect\n"),
            "t.ini:7: sink.edge.on_full: drop -> disconnect (live)\n");
  EXPECT_EQ(text(native, native + "on_full = block\n"),
            "t.ini:7: sink.edge.on_full: drop -> block (recreate)\n");
}

}  // namespace
}  // namespace sluice::config
