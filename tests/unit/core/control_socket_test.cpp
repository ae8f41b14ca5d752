// SPDX-License-Identifier: Apache-2.0
#include "core/control/control_socket.hpp"

#include "control_fake.hpp"

#include <gtest/gtest.h>
#include <zmq.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace sluice::core {
namespace {

using Frames = std::vector<std::string>;

/// A control socket of a given type and its controller in one thread.
class Pair {
 public:
  Pair(int control_type, int controller_type,
       ControlSocket::Envelope envelope = ControlSocket::Envelope::optional)
      : control(context, control_type), controller(context, controller_type) {
    control.set(zmq::sockopt::linger, 0);
    controller.set(zmq::sockopt::linger, 0);
    if (control_type == ZMQ_SUB) control.set(zmq::sockopt::subscribe, "");
    controller.set(zmq::sockopt::rcvtimeo, 2000);
    control.bind("inproc://control");
    controller.connect("inproc://control");
    steering.emplace(control.handle(), protocol, envelope);
  }

  void send(const Frames& frames, zmq::socket_t* from = nullptr) {
    zmq::socket_t& socket = from != nullptr ? *from : controller;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      socket.send(zmq::buffer(frames[i]),
                  i + 1 < frames.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
    }
  }

  /// Lets the control socket work until it has found nothing twice in a row, the second time after
  /// `wait` milliseconds without an event.
  ControlSocket::Result work(int wait = 50) {
    ControlSocket::Result result = ControlSocket::Result::idle;
    do {
      while ((result = steering->on_readable()) == ControlSocket::Result::more) {
      }
      if (result == ControlSocket::Result::terminated) return result;
      zmq::pollitem_t item{control.handle(), 0, ZMQ_POLLIN, 0};
      if (zmq::poll(&item, 1, std::chrono::milliseconds(wait)) == 0) return result;
    } while (true);
  }

  /// The next whole message for the controller; empty when there is none.
  Frames receive(zmq::recv_flags flags = zmq::recv_flags::none) {
    Frames frames;
    zmq::message_t message;
    do {
      if (!controller.recv(message, flags)) return {};
      frames.push_back(message.to_string());
    } while (message.more());
    return frames;
  }
  Frames receive_now() { return receive(zmq::recv_flags::dontwait); }

  zmq::context_t context;
  zmq::socket_t control;
  zmq::socket_t controller;
  FakeSteerable steerable;
  ControlProtocol protocol{steerable, {}};
  std::optional<ControlSocket> steering;
};

TEST(ControlSocket, RepAnswersEveryCommandOnce) {
  Pair p(ZMQ_REP, ZMQ_REQ);
  const std::vector<std::pair<Frames, std::string>> cases{
      {{"PAUSE"}, ""},
      {{"RESUME"}, ""},
      {{"WHAT"}, "ERR WHAT no such command"},
      {{""}, "ERR - empty command"},
      {{"PAUSE", "RESUME"}, "ERR - a command is a single frame"},
      {{std::string("\x00\xff", 2)}, "ERR \\x00\\xff commands are printable ASCII"},
      {{std::string(1'000'000, 'x')},
       "ERR " + std::string(32, 'x') + "... command longer than 8192 bytes"},
      {{"PING"}, "OK"},
      {{"TERMINATE"}, ""},
  };
  for (const auto& [command, reply] : cases) {
    p.send(command);
    p.work();
    EXPECT_EQ(p.receive(), Frames{reply});
  }
  p.send({"STATISTICS"});
  p.work();
  EXPECT_EQ(p.receive().size(), 8U);
  EXPECT_EQ(p.steerable.calls, (Frames{"pause", "resume", "terminate"}));
}

TEST(ControlSocket, RouterKeepsTheEnvelopeOfReq) {
  Pair p(ZMQ_ROUTER, ZMQ_REQ);
  for (const char* word : {"PAUSE", "RESUME", "TERMINATE"}) {
    p.send({word});
    p.work();
    EXPECT_EQ(p.receive(), Frames{""});
  }
  p.send({"STATISTICS"});
  p.work();
  EXPECT_EQ(p.receive().size(), 8U);
  p.send({"GET", "k"});
  p.work();
  EXPECT_EQ(p.receive(), Frames{"ERR - a command is a single frame"});
}

TEST(ControlSocket, RouterAnswersDealerWithAndWithoutEnvelope) {
  Pair p(ZMQ_ROUTER, ZMQ_DEALER);
  p.send({"PAUSE"});
  p.work();
  EXPECT_EQ(p.receive(), Frames{""});
  p.send({"", "GET k"});
  p.work();
  EXPECT_EQ(p.receive(), (Frames{"", "OK v"}));
  p.send({""});
  p.work();
  EXPECT_EQ(p.receive(), (Frames{"", "ERR - empty command"}));
  p.send({"", "", "PING"});
  p.work();
  EXPECT_EQ(p.receive(), (Frames{"", "ERR - a command is a single frame"}));
}

TEST(ControlSocket, RouterStandsForRep) {
  {
    Pair p(ZMQ_ROUTER, ZMQ_REQ, ControlSocket::Envelope::of_rep);
    for (const char* word : {"PING", "WHAT", ""}) {
      p.send({word});
      p.work();
      EXPECT_EQ(p.receive().size(), 1U);
    }
  }
  Pair p(ZMQ_ROUTER, ZMQ_DEALER, ControlSocket::Envelope::of_rep);
  const std::vector<std::pair<Frames, Frames>> cases{
      {{"", "PING"}, {"", "OK"}},
      {{"one", "", "PING"}, {"one", "", "OK"}},
      {{"one", "two", "", "PING"}, {"one", "two", "", "OK"}},
      {{"one", "", "PAUSE"}, {"one", "", ""}},
      {{"one", ""}, {"one", "", "ERR - empty command"}},
      {{"one", "", "PING", "", "x"}, {"one", "", "ERR - a command is a single frame"}},
      {{"PING"}, {"OK"}},
      {{"a", "b", "c", "d", "e", "", "PING"}, {"ERR - a command is a single frame"}},
  };
  for (const auto& [command, reply] : cases) {
    p.send(command);
    p.work();
    EXPECT_EQ(p.receive(), reply);
  }
}

TEST(ControlSocket, RouterServesSeveralControllers) {
  Pair p(ZMQ_ROUTER, ZMQ_REQ);
  zmq::socket_t second(p.context, ZMQ_REQ);
  second.set(zmq::sockopt::rcvtimeo, 2000);
  second.set(zmq::sockopt::linger, 0);
  second.connect("inproc://control");
  p.send({"GET k"});
  p.send({"STATISTICS"}, &second);
  p.work();
  EXPECT_EQ(p.receive(), Frames{"OK v"});
  zmq::message_t frame;
  int frames = 0;
  do {
    ASSERT_TRUE(second.recv(frame));
    ++frames;
  } while (frame.more());
  EXPECT_EQ(frames, 8);
}

class QuestionsOnly : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(QuestionsOnly, LeavesClassicsUnanswered) {
  Pair p(GetParam().first, GetParam().second);
  p.send({"PAUSE"});
  p.send({"RESUME"});
  p.send({"PAUSE nowhere"});
  p.send({"STATISTICS"});
  p.send({"", "PING"});
  p.send({"TERMINATE"});
  p.send({"PING"});
  p.work();
  EXPECT_EQ(p.receive(), Frames{"ERR PAUSE no such route"});
  EXPECT_EQ(p.receive().size(), 8U);
  EXPECT_EQ(p.receive(), Frames{"ERR - a command is a single frame"});
  EXPECT_EQ(p.receive(), Frames{"OK"});
  EXPECT_EQ(p.receive_now(), Frames{});
  EXPECT_EQ(p.steerable.calls, (Frames{"pause", "resume", "terminate"}));
}

INSTANTIATE_TEST_SUITE_P(PairAndDealer, QuestionsOnly,
                         testing::Values(std::pair{ZMQ_PAIR, ZMQ_PAIR},
                                         std::pair{ZMQ_DEALER, ZMQ_DEALER}));

class OneWay : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(OneWay, CarriesOutAndNeverAnswers) {
  Pair p(GetParam().first, GetParam().second);
  p.work();  // a SUB's subscription has reached the controller after this
  p.send({"PAUSE"});
  for (int i = 0; i < 10; ++i) p.send({"STATISTICS"});
  p.send({"garbage"});
  p.send({"TERMINATE"});
  p.work();
  EXPECT_EQ(p.steerable.calls, (Frames{"pause", "terminate"}));
  EXPECT_EQ(p.protocol.rejected(), 11U);
}

INSTANTIATE_TEST_SUITE_P(SubAndPull, OneWay,
                         testing::Values(std::pair{ZMQ_SUB, ZMQ_PUB},
                                         std::pair{ZMQ_PULL, ZMQ_PUSH}));

TEST(ControlSocket, ReqTakesTheCommandAsAReply) {
  Pair p(ZMQ_REQ, ZMQ_REP);
  p.control.send(zmq::str_buffer(""), zmq::send_flags::none);
  EXPECT_EQ(p.receive(), Frames{""});
  p.send({"TERMINATE"});
  EXPECT_EQ(p.work(), ControlSocket::Result::idle);
  EXPECT_EQ(p.steerable.calls, Frames{"terminate"});
  zmq::pollitem_t descriptor{nullptr, p.control.get(zmq::sockopt::fd), ZMQ_POLLIN, 0};
  EXPECT_EQ(p.steering->on_readable(), ControlSocket::Result::idle);
  EXPECT_EQ(zmq::poll(&descriptor, 1, std::chrono::milliseconds(0)), 0)
      << "the descriptor must not stay readable";
}

TEST(ControlSocket, DropsAnswersNobodyReadsWhole) {
  Pair p(ZMQ_PAIR, ZMQ_PAIR);  // 1000 messages of room on each side
  constexpr int k_commands = 5000;
  int sent = 0;
  while (sent < k_commands) {
    for (int i = 0; i < 100; ++i, ++sent) p.send({"STATISTICS"});
    p.work(0);
  }
  p.work();
  EXPECT_GT(p.steering->answers_dropped(), 0U);
  std::uint64_t whole = 0;
  for (Frames reply = p.receive_now(); !reply.empty(); reply = p.receive_now()) {
    ASSERT_EQ(reply.size(), 8U);
    ++whole;
  }
  EXPECT_EQ(whole + p.steering->answers_dropped(), k_commands);
  p.send({"PING"});
  p.work();
  EXPECT_EQ(p.receive(), Frames{"OK"});
}

TEST(ControlSocket, HandlesABoundedNumberPerCall) {
  Pair p(ZMQ_PULL, ZMQ_PUSH);
  for (int i = 0; i < 500; ++i) p.send({"PAUSE"});
  EXPECT_EQ(p.steering->on_readable(), ControlSocket::Result::more);
  EXPECT_LT(p.steerable.calls.size(), 500U);
  p.work();
  EXPECT_EQ(p.steerable.calls.size(), 500U);
}

TEST(ControlSocket, TellsThatTheContextIsGone) {
  Pair p(ZMQ_REP, ZMQ_REQ);
  p.context.shutdown();
  EXPECT_EQ(p.steering->on_readable(), ControlSocket::Result::terminated);
}

}  // namespace
}  // namespace sluice::core
