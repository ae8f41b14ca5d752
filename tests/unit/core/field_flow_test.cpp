// SPDX-License-Identifier: Apache-2.0
// Field reports FLOW and PERF.
#include "field_support.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

constexpr int k_small_buffer = 4096;

class FieldFlow : public FieldReport {
 protected:
  /// Marks and kernel buffers so small that a subscriber that does not read is soon full.
  static RouteOptions narrow(OnFull policy, int mark) {
    auto options = one_to_one(policy);
    options.sources[0].recv_hwm = mark;
    options.sinks[0].send_hwm = mark;
    options.sinks[0].link.sndbuf = k_small_buffer;
    return options;
  }
};
SLUICE_FIELD_REPORTS_OVER_BOTH_ENGINES(FieldFlow);

/// A subscriber with a small buffer that reads only when told to.
class SlowSubscriber {
 public:
  SlowSubscriber(zmq::context_t& context, const std::string& endpoint, int hwm)
      : m_socket(context, zmq::socket_type::sub) {
    m_socket.set(zmq::sockopt::linger, 0);
    m_socket.set(zmq::sockopt::rcvhwm, hwm);
    m_socket.set(zmq::sockopt::rcvbuf, k_small_buffer);
    m_socket.set(zmq::sockopt::rcvtimeo, static_cast<int>(patience().count()));
    m_socket.set(zmq::sockopt::subscribe, "");
    m_socket.connect(endpoint);
  }
  std::optional<std::string> receive() {
    zmq::message_t frame;
    if (!m_socket.recv(frame)) return std::nullopt;
    return frame.to_string();
  }
  /// Up to the first blank; nothing when nothing is waiting.
  std::optional<std::string> word_now() {
    zmq::message_t frame;
    if (!m_socket.recv(frame, zmq::recv_flags::dontwait)) return std::nullopt;
    return word(frame.to_string());
  }
  static std::string word(const std::string& text) { return text.substr(0, text.find(' ')); }

 private:
  zmq::socket_t m_socket;
};

const std::string k_filling(1000, '.');

TEST_P(FieldFlow, F_01_a_slow_reader_hurts_only_itself) {
  zmq::context_t context;
  auto options = narrow(OnFull::drop, 1000);
  options.sinks[0].link.sndbuf = 0;  // a small one has the fast reader wait for delayed ACKs
  Route route{context, options};
  route.start();
  Source source{context};
  SlowSubscriber stalled{context, sink_endpoint(route), 10};
  ASSERT_TRUE(source.subscription());
  Subscriber fast{context, sink_endpoint(route)};
  fast.socket().set(zmq::sockopt::subscribe, "seen");
  ASSERT_EQ(source.subscription(), "\1seen");
  for (int burst = 0; burst < scaled(100); ++burst) {
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(source.send(std::to_string(i) + " " + k_filling));
    for (int i = 0; i < 100; ++i) {
      const auto text = fast.receive();
      ASSERT_TRUE(text);
      ASSERT_EQ(SlowSubscriber::word(*text), std::to_string(i));
    }
  }
}

TEST_P(FieldFlow, F_02_mark_0_is_unlimited_on_every_hop) {
  zmq::context_t context;
  auto options = one_to_one(OnFull::drop);
  options.sources[0].recv_hwm = 0;
  options.sinks[0].send_hwm = 0;
  options.sinks[0].send_hwm_bytes = 0;
  Route route{context, options};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  const int messages = scaled(200'000);
  for (int i = 0; i < messages; ++i) ASSERT_TRUE(source.send(std::to_string(i)));
  for (int i = 0; i < messages; ++i) ASSERT_EQ(subscriber.receive(), std::to_string(i));
}

TEST_P(FieldFlow, F_02_drops_are_counted_exactly_or_not_claimed) {
  zmq::context_t context;
  Route route{context, narrow(OnFull::drop, 100)};
  route.start();
  Source source{context};
  SlowSubscriber subscriber{context, sink_endpoint(route), 10};
  ASSERT_TRUE(source.subscription());
  std::uint64_t sent = 0;
  for (; sent < 5000; ++sent) ASSERT_TRUE(source.send(std::to_string(sent) + " " + k_filling));
  ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == sent; }));
  std::uint64_t received = 0;
  std::string last;
  Deadline deadline;
  while (last != "end") {  // sent again until there was room for one
    ASSERT_FALSE(deadline.passed());
    while (const auto word = subscriber.word_now()) {
      ++received;
      last = *word;
    }
    if (last == "end") break;
    ASSERT_TRUE(source.send("end"));
    ++sent;
    ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == sent; }));
  }
  // More of them may follow: the last one that was sent is then the last received.
  const auto settle = [&] {
    while (subscriber.word_now()) ++received;
    const auto dropped = route.status().sinks[0].dropped_messages;
    return !dropped || received + *dropped == sent;
  };
  EXPECT_TRUE(eventually(settle)) << received << " of " << sent;
  EXPECT_LT(received, sent);
  EXPECT_EQ(route.status().sinks[0].dropped_messages.has_value(), native());
}

TEST_P(FieldFlow, F_03_a_new_connection_gets_no_old_backlog) {
  zmq::context_t context;
  Route route{context, narrow(OnFull::drop, 1000)};
  route.start();
  Source source{context};
  {
    SlowSubscriber stalled{context, sink_endpoint(route), 10};
    ASSERT_EQ(source.subscription(), "\1");
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(source.send("old " + k_filling));
  }
  ASSERT_EQ(source.subscription(), std::string("\0", 1));
  SlowSubscriber again{context, sink_endpoint(route), 10};
  ASSERT_EQ(source.subscription(), "\1");
  ASSERT_TRUE(source.send("new"));
  EXPECT_EQ(again.receive(), "new");
}

TEST_P(FieldFlow, F_04_a_queue_that_was_full_recovers_every_time) {
  zmq::context_t context;
  Route route{context, narrow(OnFull::drop, 100)};
  route.start();
  Source source{context};
  SlowSubscriber subscriber{context, sink_endpoint(route), 10};
  ASSERT_TRUE(source.subscription());
  std::uint64_t sent = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(source.send("old " + k_filling));
    sent += 1000;
    ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == sent; }));
    const std::string fresh = "fresh" + std::to_string(round);
    ASSERT_TRUE(eventually([&] {
      while (const auto word = subscriber.word_now()) {
        if (*word == fresh) return true;
      }
      ++sent;
      source.send(fresh);
      return false;
    })) << round;
    ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == sent; }));
  }
}

TEST_P(FieldFlow, F_06_block_is_felt_by_the_publisher_and_loses_nothing) {
  zmq::context_t context;
  Route route{context, narrow(OnFull::block, 10)};
  route.start();
  Source source{context, "inproc://in", false, 10};
  SlowSubscriber subscriber{context, sink_endpoint(route), 10};
  ASSERT_TRUE(source.subscription());
  source.socket().set(zmq::sockopt::sndtimeo, 200);
  int sent = 0;
  const auto fill = [&] {
    while (source.send(std::to_string(sent) + " " + k_filling)) ++sent;
  };
  fill();
  // Marks 10 + 10 at the source, 10 in the sink, 10 at the subscriber, one in hand, and the
  // kernel's and libzmq's buffers in bytes.
  EXPECT_LT(sent, 500);
  int next = 0;
  for (int round = 0; round < 5; ++round) {
    for (const int end = next + 20; next < end; ++next) {
      const auto text = subscriber.receive();
      ASSERT_TRUE(text);
      ASSERT_EQ(SlowSubscriber::word(*text), std::to_string(next));
    }
    fill();
    EXPECT_LT(sent - next, 500) << "what is sent follows what is read";
  }
  for (; next < sent; ++next) {
    const auto text = subscriber.receive();
    ASSERT_TRUE(text);
    ASSERT_EQ(SlowSubscriber::word(*text), std::to_string(next));
  }
}

TEST(FieldFlowNative, F_07_one_warning_a_sink_however_many_drops) {
  zmq::context_t context;
  auto options = test::one_to_one(OnFull::drop, Engine::native);
  options.sinks[0].send_hwm = 10;
  options.sinks[0].link.sndbuf = k_small_buffer;
  std::mutex mutex;
  std::vector<std::string> warnings;
  options.on_event = [&](const Event& event) {
    const std::lock_guard lock{mutex};
    if (event.severity == Severity::warning) warnings.emplace_back(event.text);
  };
  Route route{context, options};
  route.start();
  Source source{context};
  SlowSubscriber subscriber{context, sink_endpoint(route), 10};
  ASSERT_TRUE(source.subscription());
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(source.send(k_filling));
  ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == 10'000; }));
  ASSERT_TRUE(eventually([&] { return route.status().sinks[0].dropped_messages > 1000U; }));
  const std::lock_guard lock{mutex};
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("out"), std::string::npos) << warnings[0];
}

TEST_P(FieldFlow, F_08_marks_hold_whatever_the_burst) {
  zmq::context_t context;
  Route route{context, narrow(OnFull::drop, 1)};
  route.start();
  Source source{context, "inproc://in", false, 1};
  SlowSubscriber subscriber{context, sink_endpoint(route), 1};
  ASSERT_TRUE(source.subscription());
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(source.send(k_filling));
  const auto before = resident_bytes();
  for (int i = 0; i < scaled(50'000); ++i) ASSERT_TRUE(source.send(k_filling));
  if (slowness() == 1) {
    EXPECT_LT(resident_bytes(), before + (2U << 20));
  }
}

TEST_P(FieldFlow, F_10_marks_of_1_let_everything_pass) {
  zmq::context_t context;
  Route route{context, narrow(OnFull::block, 1)};
  route.start();
  Source source{context, "inproc://in", false, 1};
  SlowSubscriber subscriber{context, sink_endpoint(route), 1};
  ASSERT_TRUE(source.subscription());
  const int messages = scaled(2000);
  std::thread publisher{[&] {
    for (int i = 0; i < messages && source.send(std::to_string(i) + " " + k_filling); ++i) {
    }
  }};
  for (int i = 0; i < messages; ++i) {
    const auto text = subscriber.receive();
    EXPECT_TRUE(text) << i;
    if (!text) break;
    EXPECT_EQ(SlowSubscriber::word(*text), std::to_string(i));
  }
  publisher.join();
}

TEST_P(FieldFlow, P_10_a_subscription_takes_effect_under_flood) {
  for (const auto delay : {1ms, 20ms}) {
    zmq::context_t context;
    auto options = one_to_one(OnFull::drop);
    options.tuning.max_command_delay = delay;
    options.tuning.inbound_poll_rate = 1'000'000'000;  // only the time decides
    Route route{context, options};
    route.start();
    Subscriber reader{context, sink_endpoint(route), "flood"};
    std::atomic<bool> stop{false};
    std::thread publisher{[&] {
      Source source{context, "inproc://in", false, 1000};
      source.socket().set(zmq::sockopt::sndtimeo, 20);
      for (int i = 0; !stop; ++i) {
        source.send("flood");
        if (i % 16 == 0) source.send("t" + std::to_string(i / 16 % 20) + ".");
      }
    }};
    EXPECT_TRUE(eventually([&] { return route.statistics().frontend.received_messages > 1000; }));
    std::vector<std::chrono::nanoseconds> took;
    for (int i = 0; i < 20; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      Subscriber late{context, sink_endpoint(route), "t" + std::to_string(i) + "."};
      EXPECT_TRUE(late.receive()) << i;
      took.push_back(std::chrono::steady_clock::now() - begin);
    }
    // A machine with other work may keep a thread from running for seconds, but not each time.
    std::sort(took.begin(), took.end());
    EXPECT_LT(took[took.size() / 2], 250ms * slowness());
    stop = true;
    publisher.join();
  }
}

TEST_P(FieldFlow, P_13_full_speed_in_both_directions_is_no_reason_to_stop) {
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Subscriber subscriber{context, sink_endpoint(route), "data"};
  const int messages = scaled(100'000);
  const int topics = scaled(50'000);
  Source source{context, "inproc://in", false, 1000};
  ASSERT_EQ(source.subscription(), "\1data");
  std::thread storm{[&] {
    zmq::socket_t client{context, zmq::socket_type::xsub};
    client.set(zmq::sockopt::linger,
               0);  // all has arrived when it closes, and the route may go first
    client.set(zmq::sockopt::sndhwm, 0);
    client.connect(sink_endpoint(route));
    for (int i = 0; i < topics; ++i) {
      client.send(zmq::buffer("\1t" + std::to_string(i)), zmq::send_flags::none);
      client.send(zmq::buffer(std::string(1, '\0') + "t" + std::to_string(i)),
                  zmq::send_flags::none);
    }
    EXPECT_TRUE(eventually(
        [&] {
          return route.statistics().frontend.sent_messages ==
                 2U * static_cast<unsigned>(topics) + 1;
        },
        6 * patience()))
        << route.statistics().frontend.sent_messages;
  }};
  std::thread publisher{[&] {
    for (int i = 0; i < messages; ++i) {
      source.send("data" + std::to_string(i));
      if (i % 16 == 0) {
        while (source.has_subscription()) {
        }
      }
    }
  }};
  for (int i = 0; i < messages; ++i) {
    const auto text = subscriber.receive();
    EXPECT_EQ(text, "data" + std::to_string(i));
    if (!text) break;
  }
  publisher.join();
  storm.join();
  EXPECT_EQ(route.state(), RouteState::running);
}

}  // namespace
}  // namespace sluice::test
