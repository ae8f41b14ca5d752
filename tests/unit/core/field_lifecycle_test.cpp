// SPDX-License-Identifier: Apache-2.0
// Field reports TERM, and starts, stops and pauses in every state.
#include "field_support.hpp"
#include "support/scratch.hpp"

#include <atomic>
#include <cstring>
#include <future>
#include <set>
#include <thread>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

class FieldLifecycle : public FieldReport {};
SLUICE_FIELD_REPORTS_OVER_BOTH_ENGINES(FieldLifecycle);

/// Sends as fast as it can until told to stop or until the context ends.
class Flood {
 public:
  explicit Flood(zmq::context_t& context, const std::string& endpoint = "inproc://in",
                 bool bind = false)
      : m_thread([this, &context, endpoint, bind] {
          try {
            Source source{context, endpoint, bind, 1000};
            source.socket().set(zmq::sockopt::sndtimeo, 20);
            while (!m_stop) source.send("flood");
          } catch (const zmq::error_t& e) {
            if (e.num() != ETERM) throw;
          }
        }) {}
  ~Flood() {
    m_stop = true;
    m_thread.join();
  }
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;

 private:
  std::atomic<bool> m_stop{false};
  std::thread m_thread;
};

bool flowing(const Route& route) {
  return eventually([&] { return route.statistics().frontend.received_messages > 100; });
}

TEST_P(FieldLifecycle, X_01_a_thousand_starts_and_stops_release_everything) {
  ScratchDirectory scratch;
  zmq::context_t context;
  auto options = one_to_one();
  options.sinks[0].bind.push_back(scratch.ipc("out"));
  options.tap.emplace();
  options.tap->bind = {scratch.ipc("tap")};
  const auto cycle = [&](int i) {
    Route route{context, options};
    route.start();
    if (i % 10 == 0) {
      Source source{context};
      Subscriber subscriber{context, sink_endpoint(route, 0, 1)};
      ASSERT_TRUE(source.subscription());
      ASSERT_TRUE(source.send("x"));
      ASSERT_EQ(subscriber.receive(), "x");
    }
    ASSERT_EQ(route.stop(patience()), StopResult::stopped);
  };
  const int cycles = scaled(1000);
  for (int i = 0; i < cycles / 10; ++i) ASSERT_NO_FATAL_FAILURE(cycle(i));
  std::size_t files = 0;
  std::size_t last = 0;
  ASSERT_TRUE(eventually([&] {
    files = descriptors();
    return std::exchange(last, files) == files;
  }));
  const auto running = threads();
  for (int i = 0; i < cycles; ++i) ASSERT_NO_FATAL_FAILURE(cycle(i));
  // libzmq closes a socket behind its owner's back: a few may still be on their way.
  EXPECT_TRUE(eventually([&] { return descriptors() <= files; })) << descriptors() << " " << files;
  EXPECT_EQ(threads(), running);
  EXPECT_EQ(entries(scratch.path().c_str()), 0U);
  if (slowness() == 1) {
    const auto more = [&] {
      for (int i = 0; i < cycles / 10; ++i) ASSERT_NO_FATAL_FAILURE(cycle(i));
    };
    EXPECT_TRUE(memory_settles(more));
  }
}

TEST_P(FieldLifecycle, X_01_starts_that_fail_half_way_release_everything) {
  ScratchDirectory scratch;
  zmq::context_t context;
  zmq::socket_t squatter{context, zmq::socket_type::pub};
  squatter.bind("tcp://127.0.0.1:*");
  const auto taken = squatter.get(zmq::sockopt::last_endpoint);
  for (const int place : {0, 1, 2}) {
    auto options = one_to_one();
    options.sinks[0].bind = {scratch.ipc("first"), "tcp://127.0.0.1:*"};
    options.sources[0].bind.push_back(scratch.ipc("in"));
    options.tap.emplace();
    options.tap->bind = {scratch.ipc("tap")};
    if (place == 0) options.sinks[0].bind.push_back(taken);
    if (place == 1) options.tap->bind.push_back(taken);
    if (place == 2) options.sources[0].bind.push_back(taken);
    const auto cycle = [&] {
      Route route{context, options};
      EXPECT_THROW(route.start(), EndpointError);
      EXPECT_EQ(route.state(), RouteState::stopped);
    };
    for (int i = 0; i < 5; ++i) cycle();
    const auto files = descriptors();
    const auto running = threads();
    for (int i = 0; i < scaled(100); ++i) cycle();
    // A few sockets may have been on their way when the first count was taken; a leak is one a
    // cycle.
    EXPECT_TRUE(eventually([&] { return descriptors() <= files + 2; }))
        << place << ": " << descriptors() << " descriptors, were " << files;
    EXPECT_EQ(threads(), running);
    EXPECT_EQ(entries(scratch.path().c_str()), 0U) << place;
  }
}

TEST_P(FieldLifecycle, X_01_stops_under_flood) {
  zmq::context_t context;
  for (const OnFull policy : {OnFull::block, OnFull::drop}) {
    Route flooded{context, one_to_one(policy)};
    flooded.start();
    Flood flood{context};
    Subscriber subscriber{context, sink_endpoint(flooded), "", 100};  // never reads
    ASSERT_TRUE(flowing(flooded));
    EXPECT_EQ(flooded.stop(patience()), StopResult::stopped);
    EXPECT_EQ(flooded.reason(), "terminated");
  }
}

TEST_P(FieldLifecycle, X_01_stop_during_start_ends_in_stopped) {
  zmq::context_t context;
  for (int i = 0; i < scaled(100); ++i) {
    Route route{context, one_to_one()};
    auto started = std::async(std::launch::async, [&] { route.start(); });
    route.request_stop();
    if (i % 2 == 0) route.request_drain();
    started.get();
    route.request_stop();
    ASSERT_TRUE(route.wait_stopped(patience()));
    ASSERT_EQ(route.state(), RouteState::stopped);
  }
}

TEST_P(FieldLifecycle, X_02_a_stop_that_cannot_be_had_in_time_says_so) {
  std::promise<void> held;
  std::promise<void> let_go;
  auto go = let_go.get_future().share();
  std::atomic<bool> first{true};
  zmq::context_t context;
  auto options = one_to_one();
  options.max_topic = 10;
  options.on_event = [&, go](const Event&) {  // on the forwarding thread
    if (!first.exchange(false)) return;
    held.set_value();
    go.wait();
  };
  Route route{context, options};
  route.start();
  Subscriber subscriber{context, sink_endpoint(route), "a topic over the limit"};
  ASSERT_EQ(held.get_future().wait_for(patience()), std::future_status::ready);
  EXPECT_EQ(route.stop(200ms), StopResult::timed_out);
  EXPECT_FALSE(route.ping(10ms));
  let_go.set_value();
  EXPECT_EQ(route.stop(patience()), StopResult::stopped);
}

TEST_P(FieldLifecycle, X_05_a_context_shut_down_under_flood_is_a_stated_end) {
  zmq::context_t outside;
  for (int i = 0; i < scaled(200); ++i) {
    zmq::context_t context;
    auto options = one_to_one(i % 2 == 0 ? OnFull::block : OnFull::drop);
    if (i % 4 < 2) options.subscribe = {""};
    Route route{context, options};
    route.start();
    Subscriber subscriber{outside, sink_endpoint(route), "", 10};  // never reads
    Flood flood{context};
    ASSERT_TRUE(flowing(route));
    if (i % 3 == 0) route.pause();
    context.shutdown();
    ASSERT_TRUE(route.wait_stopped(patience()));
    ASSERT_EQ(route.reason(), "context terminated");
    EXPECT_THROW(route.pause(), std::runtime_error);
  }
}

// The descriptor that the loop waits on is closed under it.
TEST_P(FieldLifecycle, X_07_a_loop_that_fails_says_why) {
  const auto waiters = [] {
    std::set<int> found;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd"}) {
      std::error_code error;
      const auto target = std::filesystem::read_symlink(entry, error);
      if (target == "anon_inode:[eventpoll]") found.insert(std::stoi(entry.path().filename()));
    }
    return found;
  };
  zmq::context_t context;
  Source starts_the_threads{context, "inproc://other", true};
  const auto before = waiters();
  Route route{context, one_to_one()};
  route.start();
  // The outer set of the two is made first. A sleep on it that had begun goes on until something
  // wakes it; the next one fails.
  auto made = waiters();
  for (const int fd : before) made.erase(fd);
  ASSERT_EQ(made.size(), 2U);
  ::close(::dup2(STDIN_FILENO, *made.begin()));
  static_cast<void>(route.ping(patience()));
  EXPECT_TRUE(route.wait_stopped(patience()));
  EXPECT_EQ(route.reason(), "failed: Bad file descriptor");
}

TEST_P(FieldLifecycle, C_07_sources_that_flood_before_the_start) {
  zmq::context_t context;
  Flood flood{context, "inproc://flood", true};
  auto options = one_to_one();
  options.sources[0].bind.clear();
  options.sources[0].connect = {"inproc://flood"};
  options.subscribe = {""};
  for (int i = 0; i < scaled(200); ++i) {
    Route route{context, options};
    ASSERT_NO_THROW(route.start());
    ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages > 0; }));
    ASSERT_EQ(route.stop(patience()), StopResult::stopped);
  }
}

TEST_P(FieldLifecycle, Z_05_pause_and_resume_from_every_state) {
  zmq::context_t context;
  auto options = one_to_one();
  options.linger = 400ms;
  options.sinks[0].send_hwm = 1;
  options.sources[0].recv_hwm = 1;
  Route route{context, options};
  EXPECT_THROW(route.pause(), std::runtime_error) << "never started";
  route.start();
  route.resume();
  EXPECT_EQ(route.state(), RouteState::running);
  for (int i = 0; i < 2; ++i) {
    route.pause();
    EXPECT_EQ(route.state(), RouteState::paused);
  }
  route.resume();
  EXPECT_EQ(route.state(), RouteState::running);
  {
    Flood flood{context};
    Subscriber subscriber{context, sink_endpoint(route), "", 1};  // never reads: the route is full
    ASSERT_TRUE(flowing(route));
    route.pause();
    EXPECT_EQ(route.state(), RouteState::paused);
    route.resume();
    EXPECT_EQ(route.state(), RouteState::running);
    route.pause();
    route.request_drain();
    ASSERT_TRUE(eventually([&] { return route.state() != RouteState::paused; }));
    try {
      route.pause();  // a drain goes on
    } catch (const std::runtime_error&) {
      EXPECT_NE(route.state(), RouteState::paused);
    }
    EXPECT_NE(route.state(), RouteState::paused);
    ASSERT_TRUE(route.wait_stopped(patience()));
  }
  EXPECT_THROW(route.pause(), std::runtime_error) << "stopped";
  route.start();
  EXPECT_EQ(route.state(), RouteState::running);
}

}  // namespace
}  // namespace sluice::test
