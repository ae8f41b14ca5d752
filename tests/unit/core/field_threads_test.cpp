// SPDX-License-Identifier: Apache-2.0
// Field reports THREAD and CTRL.
#include "field_support.hpp"
#include "support/scratch.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <set>
#include <sys/wait.h>
#include <thread>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

class FieldThreads : public FieldReport {};
SLUICE_FIELD_REPORTS_OVER_BOTH_ENGINES(FieldThreads);

TEST_P(FieldThreads, K_01_every_call_from_every_thread) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context, "inproc://in", false, 1000};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  std::atomic<int> busy{8};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 8; ++caller) {
    callers.emplace_back([&, caller] {
      const std::string name = "inproc://late" + std::to_string(caller);
      for (int i = 0; i < scaled(100); ++i) {
        route.pause();
        route.attach(name);
        static_cast<void>(route.statistics());
        static_cast<void>(route.status());
        route.set(Tuning{.inbound_poll_rate = 10U + static_cast<unsigned>(i)});
        route.resume();
        route.detach(name);
      }
      --busy;
    });
  }
  int sent = 0;
  int received = 0;
  // What one caller pauses another one resumes: messages pass meanwhile, none is lost.
  while (busy > 0) {
    ASSERT_TRUE(source.send(std::to_string(sent++)));
    zmq::message_t message;
    while (subscriber.socket().recv(message, zmq::recv_flags::dontwait)) {
      EXPECT_EQ(message.to_string(), std::to_string(received++));
    }
    if (sent - received > 500) static_cast<void>(route.wait_stopped(1ms));
  }
  for (auto& caller : callers) caller.join();
  route.resume();
  for (; received < sent; ++received) ASSERT_EQ(subscriber.receive(), std::to_string(received));
  EXPECT_TRUE(eventually(
      [&] { return route.statistics().backend.sent_messages == static_cast<unsigned>(sent); }));
}

TEST_P(FieldThreads, K_02_forked_children_do_no_harm) {
  ScratchDirectory scratch;
  zmq::context_t context;
  auto options = one_to_one();
  options.sinks[0].bind.push_back(scratch.ipc("out"));
  Route route{context, options};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route, 0, 1)};
  ASSERT_TRUE(source.subscription());
  const int children = scaled(50);
  for (int child = 0; child < 2 * children; ++child) {
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(source.send(std::to_string(10 * child + i)));
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      if (child % 2 == 0) execl("/bin/true", "true", nullptr);
      // With the destructors of statics and what was registered; a sanitizer's report is its own.
      if (slowness() == 1) std::exit(0);
      _exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  for (int i = 0; i < 2 * children * 10; ++i) ASSERT_EQ(subscriber.receive(), std::to_string(i));
  EXPECT_TRUE(std::filesystem::is_socket(scratch / "out"));
}

TEST_P(FieldThreads, K_02_every_descriptor_is_closed_by_exec) {
  std::set<std::string> before;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd"}) {
    before.insert(entry.path().filename());
  }
  ScratchDirectory scratch;
  zmq::context_t context;
  auto options = one_to_one();
  options.sinks[0].bind.push_back(scratch.ipc("out"));
  options.sources[0].bind.push_back(scratch.ipc("in"));
  options.tap.emplace();
  options.tap->bind = {scratch.ipc("tap")};
  Route route{context, options};
  route.start();
  Source source{context, scratch.ipc("in")};
  Subscriber tcp{context, sink_endpoint(route, 0, 0)};
  Subscriber ipc{context, sink_endpoint(route, 0, 1)};
  ASSERT_TRUE(eventually([&] { return peers(route) == 2; }));
  int looked_at = 0;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd"}) {
    const std::string name = entry.path().filename();
    if (before.count(name) != 0) continue;
    std::error_code error;
    const auto target = std::filesystem::read_symlink(entry, error).string();
    const int flags = fcntl(std::stoi(name), F_GETFD);
    if (flags < 0) continue;  // the one that lists them
    ++looked_at;
    EXPECT_NE(flags & FD_CLOEXEC, 0) << name << " -> " << target;
  }
  EXPECT_GT(looked_at, 10);
}

TEST_P(FieldThreads, K_03_peers_that_come_and_go_leave_nothing_behind_to_stop_for) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  const auto endpoint = sink_endpoint(route);
  Source source{context};
  for (int i = 0; i < scaled(300); ++i) {
    Subscriber subscriber{context, endpoint, std::to_string(i)};
    ASSERT_TRUE(source.subscription());
  }
  EXPECT_TRUE(eventually([&] { return peers(route) == 0; }));
  EXPECT_EQ(route.stop(1s * slowness()), StopResult::stopped);
}

TEST_P(FieldThreads, C_08_two_routes_in_one_process) {
  zmq::context_t context;
  auto options = one_to_one();
  Route one{context, options};
  options.name = "second";
  options.sources[0].bind = {"inproc://second"};
  Route two{context, options};
  one.start();
  two.start();
  Source first{context};
  Source second{context, "inproc://second"};
  Subscriber of_one{context, sink_endpoint(one)};
  Subscriber of_two{context, sink_endpoint(two)};
  ASSERT_TRUE(first.subscription());
  ASSERT_TRUE(second.subscription());
  ASSERT_TRUE(first.send("1"));
  ASSERT_TRUE(second.send("2"));
  EXPECT_EQ(of_one.receive(), "1");
  EXPECT_EQ(of_two.receive(), "2");
  EXPECT_EQ(one.stop(patience()), StopResult::stopped);
  ASSERT_TRUE(second.send("3"));
  EXPECT_EQ(of_two.receive(), "3");
}

TEST_P(FieldThreads, C_09_sources_come_and_go_without_a_gap_in_the_others) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source steady{context, "inproc://in", false, 1000};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_EQ(steady.subscription(), "\1");
  const int messages = scaled(50'000);
  std::thread publisher{[&] {
    for (int i = 0; i < messages && steady.send(std::to_string(i)); ++i) {
    }
  }};
  std::atomic<bool> stop{false};
  std::atomic<int> visits{0};
  std::thread visitor{[&] {
    for (int i = 0; !stop; ++i) {
      const std::string endpoint = "inproc://visitor" + std::to_string(i);
      Source visiting{context, endpoint, true};
      EXPECT_EQ(route.attach(endpoint), AttachResult::connected);
      EXPECT_EQ(visiting.subscription(), "\1");
      EXPECT_TRUE(visiting.send("visitor"));
      EXPECT_EQ(route.detach(endpoint), DetachResult::detached);
      ++visits;
    }
  }};
  int heard = 0;
  const auto next = [&](const std::string& expected) {
    auto text = subscriber.receive();
    for (; text == "visitor"; text = subscriber.receive()) ++heard;
    return text == expected;
  };
  bool good = true;
  for (int i = 0; i < messages && good; ++i) good = next(std::to_string(i));
  EXPECT_TRUE(good);
  stop = true;
  publisher.join();
  visitor.join();
  ASSERT_TRUE(steady.send("end"));
  EXPECT_TRUE(next("end"));
  // What a source had sent before its detach is forwarded as far as the sinks have room for it.
  EXPECT_LE(heard, visits);
  EXPECT_GT(heard, visits / 2);
}

// libzmq aborts the process when a pipe is cut of whose message it has handed out or prefetched
// one frame only.
TEST_P(FieldThreads, C_09_a_source_detached_while_paused_keeps_its_message_whole) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context, "inproc://paused", true};
  ASSERT_EQ(route.attach("inproc://paused"), AttachResult::connected);
  Source steady{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_EQ(source.subscription(), "\1");
  ASSERT_EQ(steady.subscription(), "\1");
  for (int round = 0; round < 20; ++round) {
    route.pause();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(source.send({"first", "second", "third"}));
    ASSERT_TRUE(route.ping(patience()));
    ASSERT_EQ(route.detach("inproc://paused"), DetachResult::detached);
    route.resume();
    ASSERT_TRUE(steady.send("end"));
    for (auto text = subscriber.receive(); text != "end"; text = subscriber.receive()) {
      ASSERT_EQ(text, "first|second|third");
    }
    ASSERT_EQ(source.subscription(), std::string("\0", 1));
    ASSERT_EQ(route.attach("inproc://paused"), AttachResult::connected);
    ASSERT_EQ(source.subscription(), "\1");
  }
}

TEST_P(FieldThreads, C_09_several_detaches_in_one_pause_keep_all_messages_whole) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context, "inproc://often", true};
  Source steady{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_EQ(steady.subscription(), "\1");
  for (int round = 0; round < 10; ++round) {
    route.pause();
    for (int visit = 0; visit < 3; ++visit) {
      ASSERT_EQ(route.attach("inproc://often"), AttachResult::connected);
      ASSERT_EQ(source.subscription(), "\1");
      for (int i = 0; i < 5; ++i) ASSERT_TRUE(source.send({"first", "second", "third"}));
      ASSERT_TRUE(route.ping(patience()));
      ASSERT_EQ(route.detach("inproc://often"), DetachResult::detached);
      ASSERT_EQ(source.subscription(), std::string("\0", 1));
    }
    route.resume();
    ASSERT_TRUE(steady.send("end"));
    for (auto text = subscriber.receive(); text != "end"; text = subscriber.receive()) {
      ASSERT_EQ(text, "first|second|third");
    }
  }
}

}  // namespace
}  // namespace sluice::test
