// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

namespace sluice::config {
namespace {

using namespace std::string_literals;
using namespace std::chrono_literals;

void expect_same_link(const sluice::LinkOptions& a, const sluice::LinkOptions& b) {
  EXPECT_EQ(a.sndbuf, b.sndbuf);
  EXPECT_EQ(a.rcvbuf, b.rcvbuf);
  EXPECT_EQ(a.reconnect_interval, b.reconnect_interval);
  EXPECT_EQ(a.reconnect_interval_max, b.reconnect_interval_max);
  EXPECT_EQ(a.heartbeat_interval, b.heartbeat_interval);
  EXPECT_EQ(a.heartbeat_timeout, b.heartbeat_timeout);
  EXPECT_EQ(a.tcp_user_timeout, b.tcp_user_timeout);
  EXPECT_EQ(a.tcp_keepalive, b.tcp_keepalive);
}

TEST(Options, TheTablesDefaultsAreTheLibrarys) {
  const LoadedConfig config = test::loaded(test::k_small +
                                           "[tap t]\nbind = ipc:///t\n[control]\n"
                                           "bind = ipc:///c\n[generator g]\n");
  const sluice::RouteOptions& route = config.routes.at(0);
  const sluice::RouteOptions plain;
  EXPECT_EQ(route.tuning, plain.tuning);
  EXPECT_EQ(route.linger, plain.linger);
  EXPECT_EQ(route.max_topic, plain.max_topic);
  EXPECT_EQ(route.max_subscriptions, plain.max_subscriptions);
  EXPECT_TRUE(route.subscribe.empty());
  const sluice::SourceOptions& source = route.sources.at(0);
  const sluice::SourceOptions plain_source;
  EXPECT_EQ(source.recv_hwm, plain_source.recv_hwm);
  EXPECT_EQ(source.max_message_size, plain_source.max_message_size);
  EXPECT_EQ(source.ipc.mode, plain_source.ipc.mode);
  expect_same_link(source.link, plain_source.link);
  const sluice::SinkOptions& sink = route.sinks.at(0);
  const sluice::SinkOptions plain_sink;
  EXPECT_EQ(sink.engine, plain_sink.engine);
  EXPECT_EQ(sink.send_hwm, plain_sink.send_hwm);
  EXPECT_EQ(sink.send_hwm_bytes, plain_sink.send_hwm_bytes);
  EXPECT_EQ(sink.on_full, plain_sink.on_full);
  EXPECT_EQ(sink.out_batch, plain_sink.out_batch);
  EXPECT_EQ(sink.nodelay, plain_sink.nodelay);
  EXPECT_EQ(sink.block_timeout, plain_sink.block_timeout);
  EXPECT_EQ(sink.handshake_timeout, plain_sink.handshake_timeout);
  EXPECT_EQ(sink.max_upstream_size, plain_sink.max_upstream_size);
  EXPECT_EQ(sink.max_peers, plain_sink.max_peers);
  EXPECT_EQ(sink.ipc.mode, plain_sink.ipc.mode);
  expect_same_link(sink.link, plain_sink.link);
  const sluice::TapOptions plain_tap;
  EXPECT_EQ(route.tap->type, plain_tap.type);
  EXPECT_EQ(route.tap->send_hwm, plain_tap.send_hwm);
  EXPECT_EQ(route.tap->ipc.mode, plain_tap.ipc.mode);
  EXPECT_EQ(config.control->ipc.mode, ControlOptions{}.ipc.mode);
  const GeneratorOptions plain_generator;
  EXPECT_EQ(config.generators.at(0).rate, plain_generator.rate);
  EXPECT_EQ(config.generators.at(0).size, plain_generator.size);
  EXPECT_EQ(config.generators.at(0).send_hwm, plain_generator.send_hwm);
  EXPECT_EQ(config.process.max_sockets, ProcessOptions{}.max_sockets);
}

TEST(Options, O_02_EveryOptionIsReachable) {
  const LoadedConfig config = test::loaded(
      "[route market]\ninbound_poll_rate = 10k\nmax_command_delay = 20ms\ncoalesce_delay = 500us\n"
      "linger = 2s\nsubscribe = \"\"\nsubscribe = \\x00\nmax_topic = 8k\nmax_subscriptions = 5\n"
      "[source feed]\nbind = ipc:///in\nconnect = tcp://h:5\nrecv_hwm = 7\nmax_message_size = 1M\n"
      "sndbuf = 1k\nrcvbuf = 2k\nreconnect_interval = 1s\nreconnect_interval_max = 9s\n"
      "tcp_user_timeout = 0\ntcp_keepalive = no\nmode = 0600\ngroup = users\n"
      "[sink edge]\nengine = native\nbind = tcp://*:5\nsend_hwm = 3\nsend_hwm_bytes = 1M\n"
      "on_full = block\nblock_timeout = 5s\nout_batch = 8k\nnodelay = no\nhandshake_timeout = 1s\n"
      "max_upstream_size = 1k\nmax_peers = 4\nheartbeat_interval = 0\nheartbeat_timeout = 1s\n"
      "[control]\nbind = ipc:///c\ntype = router\nmode = 0660\ngroup = users\n"
      "[generator g]\nrate = 0\nsize = 2k\ntopics = a,\"b,c\"\nframes = 2\nsend_hwm = 5\n"
      "pattern = ticked\n[log]\nformat = json\nlevel = debug\n"
      "[process]\nio_threads = 2\nmax_sockets = 99\nio_cpus = 0,1\npid_file = /run/p\n");
  const sluice::RouteOptions& route = config.routes.at(0);
  EXPECT_EQ(route.tuning.inbound_poll_rate, 10'000U);
  EXPECT_EQ(route.tuning.max_command_delay, 20ms);
  EXPECT_EQ(route.tuning.coalesce_delay, 500us);
  EXPECT_EQ(route.linger, 2s);
  EXPECT_EQ(route.subscribe, (std::vector<std::string>{"", "\0"s}));
  EXPECT_EQ(route.max_topic, 8192U);
  EXPECT_EQ(route.max_subscriptions, 5U);
  const sluice::SourceOptions& source = route.sources.at(0);
  EXPECT_EQ(source.bind.at(0), "ipc:///in");
  EXPECT_EQ(source.connect.at(0), "tcp://h:5");
  EXPECT_EQ(source.recv_hwm, 7);
  EXPECT_EQ(source.max_message_size, 1 << 20);
  EXPECT_EQ(source.link.sndbuf, 1024);
  EXPECT_EQ(source.link.rcvbuf, 2048);
  EXPECT_EQ(source.link.reconnect_interval, 1s);
  EXPECT_EQ(source.link.reconnect_interval_max, 9s);
  EXPECT_EQ(source.link.tcp_user_timeout, 0s);
  EXPECT_FALSE(source.link.tcp_keepalive);
  EXPECT_EQ(source.ipc.mode, 0600U);
  EXPECT_EQ(source.ipc.group, "users");
  const sluice::SinkOptions& sink = route.sinks.at(0);
  EXPECT_EQ(sink.engine, sluice::Engine::native);
  EXPECT_EQ(sink.send_hwm, 3);
  EXPECT_EQ(sink.send_hwm_bytes, 1 << 20);
  EXPECT_EQ(sink.on_full, sluice::OnFull::block);
  EXPECT_EQ(sink.block_timeout, 5s);
  EXPECT_EQ(sink.out_batch, 8192U);
  EXPECT_FALSE(sink.nodelay);
  EXPECT_EQ(sink.handshake_timeout, 1s);
  EXPECT_EQ(sink.max_upstream_size, 1024);
  EXPECT_EQ(sink.max_peers, 4U);
  EXPECT_EQ(sink.link.heartbeat_interval, 0s);
  EXPECT_EQ(sink.link.heartbeat_timeout, 1s);
  EXPECT_EQ(config.control->type, ControlType::router);
  EXPECT_EQ(config.control->ipc.mode, 0660U);
  EXPECT_EQ(config.generators.at(0).topics, (std::vector<std::string>{"a", "b,c"}));
  EXPECT_EQ(config.generators.at(0).frames, 2U);
  EXPECT_EQ(config.generators.at(0).pattern, Pattern::ticked);
  EXPECT_EQ(config.log.format, LogFormat::json);
  EXPECT_EQ(config.log.level, LogLevel::debug);
  EXPECT_EQ(config.process.io_threads, 2);
  EXPECT_EQ(config.process.io_cpus, (std::vector<int>{0, 1}));
  EXPECT_EQ(config.process.pid_file, "/run/p");
}

TEST(Options, F_09_TheOrderOfKeysMeansNothing) {
  const LoadedConfig a = test::loaded("[sink x]\nbind = ipc:///x\nsend_hwm = 5\n");
  const LoadedConfig b = test::loaded("[sink x]\nsend_hwm = 5\nbind = ipc:///x\n");
  EXPECT_TRUE(diff(a, b).empty());
}

TEST(Options, S_14_EverythingCanBeSubscribedStatically) {
  EXPECT_EQ(test::loaded("subscribe =\n" + test::k_small).routes.at(0).subscribe.size(), 1U);
  EXPECT_EQ(test::loaded("subscribe = \"\"\n" + test::k_small).routes.at(0).subscribe.at(0), "");
}

}  // namespace
}  // namespace sluice::config
