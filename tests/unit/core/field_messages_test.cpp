// SPDX-License-Identifier: Apache-2.0
// Field reports MULTI and CAP.
#include "field_support.hpp"
#include "support/scratch.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <thread>

namespace sluice::test {
namespace {

using namespace std::chrono_literals;

class FieldMessages : public FieldReport {};
SLUICE_FIELD_REPORTS_OVER_BOTH_ENGINES(FieldMessages);

std::string check_of(const std::string& id, const std::string& number) {
  return std::to_string(std::hash<std::string>{}(id + "/" + number));
}

/// Three frames that belong together; false otherwise.
bool receive_whole(zmq::socket_t& socket, bool& matches) {
  std::vector<std::string> frames;
  do {
    zmq::message_t frame;
    if (!socket.recv(frame)) return false;
    frames.push_back(frame.to_string());
    if (!frame.more()) break;
  } while (true);
  matches = frames.size() == 3 && frames[2] == check_of(frames[0], frames[1]);
  return true;
}

TEST_P(FieldMessages, M_02_frames_of_different_messages_never_mix) {
  zmq::context_t context;
  auto options = one_to_one(OnFull::drop);
  options.sinks[0].send_hwm = 50;
  Route route{context, options};
  route.start();
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int id = 0; id < 4; ++id) {
    threads.emplace_back([&, id] {
      Source source{context, "inproc://in", false, 100};
      source.socket().set(zmq::sockopt::xpub_nodrop, id % 2 == 0);
      source.socket().set(zmq::sockopt::sndtimeo, 20);
      for (int number = 0; !stop; ++number) {
        const auto a = std::to_string(id);
        const auto b = std::to_string(number);
        source.send({a, b, check_of(a, b)});
      }
    });
  }
  std::atomic<int> wrong{0};
  std::atomic<int> received{0};
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&] {
      for (int life = 0; life < scaled(20); ++life) {
        Subscriber subscriber{context, sink_endpoint(route), "", 100};
        for (int i = 0; i < 200; ++i) {
          bool matches = false;
          if (!receive_whole(subscriber.socket(), matches)) {
            ++wrong;  // nothing came
            return;
          }
          if (!matches) ++wrong;
          ++received;
        }
      }
    });
  }
  for (int i = 0; i < scaled(50); ++i) {
    route.pause();
    static_cast<void>(route.ping(patience()));
    route.resume();
    static_cast<void>(route.wait_stopped(5ms));
  }
  for (auto& reader : readers) reader.join();
  stop = true;
  EXPECT_EQ(route.stop(patience()), StopResult::stopped);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(received, 3 * scaled(20) * 200);
}

TEST_P(FieldMessages, M_03_M_04_large_messages_pass_on_tcp_and_ipc_and_are_counted_in_full) {
  ScratchDirectory scratch;
  zmq::context_t context;
  auto options = one_to_one();
  options.sinks[0].bind.push_back(scratch.ipc("out"));
  Route route{context, options};
  route.start();
  Source source{context};
  Subscriber tcp{context, sink_endpoint(route, 0, 0)};
  ASSERT_TRUE(source.subscription());
  Subscriber ipc{context, sink_endpoint(route, 0, 1), "x"};
  ASSERT_TRUE(source.subscription());
  std::uint64_t bytes = 0;
  for (const std::size_t mebibytes : {1U, 10U, 64U}) {
    std::string big(mebibytes << 20, 'x');
    for (std::size_t i = 1; i < big.size(); i += 4093) big[i] = static_cast<char>(i & 0x7f);
    ASSERT_TRUE(source.send(big));
    bytes += big.size();
    EXPECT_TRUE(tcp.receive() == big) << mebibytes;
    EXPECT_TRUE(ipc.receive() == big) << mebibytes;
    ASSERT_TRUE(source.send("xsmall"));
    bytes += 6;
    EXPECT_EQ(tcp.receive(), "xsmall");
    EXPECT_EQ(ipc.receive(), "xsmall");
  }
  EXPECT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == 6; }));
  EXPECT_EQ(route.statistics().frontend.received_bytes, bytes);
  EXPECT_EQ(route.statistics().backend.sent_bytes, bytes);
}

TEST_P(FieldMessages, M_03_more_than_two_gigabytes_pass) {
  // The message is there up to four times: source, route, subscriber and here.
  const bool room = available_bytes() > (std::uint64_t{18} << 30) && slowness() == 1;
  const std::size_t size = room ? (std::size_t{1} << 31) + 1 : std::size_t{256} << 20;
  zmq::context_t context;
  Route route{context, one_to_one()};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  zmq::message_t big{size};
  auto* bytes = big.data<unsigned char>();
  for (std::size_t i = 0; i < size; i += 4093) bytes[i] = static_cast<unsigned char>(i / 4093);
  bytes[size - 1] = 77;
  zmq::message_t sent;
  sent.copy(big);
  // In C: the C++ binding compares the size with an int.
  ASSERT_GE(zmq_msg_send(sent.handle(), source.socket().handle(), 0), 0);
  zmq::message_t got;
  subscriber.socket().set(zmq::sockopt::rcvtimeo, 60'000);
  ASSERT_GE(zmq_msg_recv(got.handle(), subscriber.socket().handle(), 0), 0);
  ASSERT_EQ(got.size(), size);
  const auto* arrived = got.data<unsigned char>();
  std::size_t wrong = arrived[size - 1] == 77 ? 0 : 1;
  for (std::size_t i = 0; i < size - 1; i += 4093) {
    wrong += arrived[i] != static_cast<unsigned char>(i / 4093) ? 1U : 0U;
  }
  EXPECT_EQ(wrong, 0U);
  ASSERT_TRUE(source.send("small"));
  EXPECT_EQ(subscriber.receive(), "small");
  EXPECT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == 2; }));
  EXPECT_EQ(route.statistics().backend.sent_bytes, size + 5);
}

TEST_P(FieldMessages, M_05_who_sends_more_than_the_limit_is_cut_and_nobody_else) {
  zmq::context_t context;
  auto options = one_to_one();
  options.sinks[0].max_upstream_size = 1 << 20;
  Route route{context, options};
  route.start();
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_EQ(source.subscription(), "\1");
  zmq::socket_t client{context, zmq::socket_type::xsub};
  client.set(zmq::sockopt::linger, 0);
  client.set(zmq::sockopt::reconnect_ivl, -1);
  client.connect(sink_endpoint(route));
  client.send(zmq::buffer(std::string{"\1client"}), zmq::send_flags::none);
  ASSERT_EQ(source.subscription(), "\1client");
  client.send(zmq::buffer(std::string(2 << 20, '\2')), zmq::send_flags::none);
  EXPECT_EQ(source.subscription(), std::string("\0client", 7)) << "its topics are given back";
  ASSERT_TRUE(source.send("client and all"));
  EXPECT_EQ(subscriber.receive(), "client and all");
}

TEST_P(FieldMessages, M_06_marks_count_messages_and_keep_them_whole) {
  zmq::context_t context;
  auto options = one_to_one(OnFull::drop);
  options.sinks[0].send_hwm = 10;
  options.sinks[0].link.sndbuf = 4096;
  Route route{context, options};
  route.start();
  Source source{context};
  zmq::socket_t subscriber{context, zmq::socket_type::sub};
  subscriber.set(zmq::sockopt::linger, 0);
  subscriber.set(zmq::sockopt::rcvhwm, 10);
  subscriber.set(zmq::sockopt::rcvbuf, 4096);
  subscriber.set(zmq::sockopt::rcvtimeo, static_cast<int>(patience().count()));
  subscriber.set(zmq::sockopt::subscribe, "");
  subscriber.connect(sink_endpoint(route));
  ASSERT_TRUE(source.subscription());
  for (int i = 0; i < 500; ++i) {
    const std::string id(3000, 'i');
    const auto number = std::to_string(i);
    ASSERT_TRUE(source.send({id, number, check_of(id, number)}));
  }
  ASSERT_TRUE(eventually([&] { return route.statistics().backend.sent_messages == 500; }));
  int received = 0;
  for (bool matches = false; received < 10; ++received) {  // the mark's worth at least
    ASSERT_TRUE(receive_whole(subscriber, matches)) << received;
    ASSERT_TRUE(matches) << received;
  }
  subscriber.set(zmq::sockopt::rcvtimeo, 200);
  for (bool matches = false; receive_whole(subscriber, matches); ++received) ASSERT_TRUE(matches);
  EXPECT_LT(received, 500);
}

TEST_P(FieldMessages, Q_01_Q_02_the_tap_gets_the_data_and_nothing_else) {
  zmq::context_t context;
  auto options = one_to_one();
  options.tap.emplace();
  options.tap->bind = {"inproc://tap"};
  Route route{context, options};
  route.start();
  zmq::socket_t tap{context, zmq::socket_type::pull};
  tap.set(zmq::sockopt::rcvtimeo, static_cast<int>(patience().count()));
  tap.set(zmq::sockopt::rcvhwm, 0);
  tap.connect("inproc://tap");
  Source source{context};
  Subscriber subscriber{context, sink_endpoint(route)};
  ASSERT_TRUE(source.subscription());
  const auto next = [&tap] {
    std::string text;
    for (zmq::message_t frame;;) {
      if (!tap.recv(frame)) return std::string{"nothing"};
      text += frame.to_string();
      if (!frame.more()) return text;
      text += '|';
    }
  };
  for (int i = 0; i < 1000; ++i) {
    if (i == 500) {
      route.pause();
      static_cast<void>(route.statistics());
      route.resume();
      subscriber.socket().set(zmq::sockopt::subscribe, "another");
    }
    const auto text = std::to_string(i);
    ASSERT_TRUE(source.send({text, "second"}));
    ASSERT_EQ(subscriber.receive(), text + "|second");
    ASSERT_EQ(next(), text + "|second");
  }
}

TEST_P(FieldMessages, Q_01_a_tap_that_nobody_reads_hinders_nothing) {
  zmq::context_t context;
  for (const auto type : {TapType::push, TapType::pub, TapType::pair}) {
    auto options = one_to_one();
    options.tap.emplace();
    options.tap->type = type;
    options.tap->send_hwm = 10;
    options.tap->bind = {"inproc://tap"};
    Route route{context, options};
    route.start();
    Source source{context};
    Subscriber subscriber{context, sink_endpoint(route)};
    ASSERT_TRUE(source.subscription());
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(source.send("message"));
      ASSERT_EQ(subscriber.receive(), "message");
    }
    if (type != TapType::pub) {
      EXPECT_GT(route.statistics().tap_dropped_messages, 900U);
    }
  }
}

}  // namespace
}  // namespace sluice::test
