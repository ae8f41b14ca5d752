// SPDX-License-Identifier: Apache-2.0
// Steering through every type of control socket, paused, blocked and flooded.
#include "rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;
using testing::StartsWith;
using zmq::socket_type;

/// A PULL/PUSH call with a control socket of the given type, and its controller.
struct Steered {
  Steered(socket_type control, socket_type controller_type)
      : proxy(context, socket_type::pull, socket_type::push, options(control)),
        source(connected(context, socket_type::push, "inproc://front")),
        target(connected(context, socket_type::pull, "inproc://back")),
        controller(connected(context, controller_type, "inproc://control")) {
    proxy.start();
  }
  static Proxy::Options options(socket_type control) {
    Proxy::Options options;
    options.control = control;
    return options;
  }
  std::optional<Frames> ask(const Frames& frames) {
    if (!send(controller, frames)) return std::nullopt;
    return receive(controller);
  }
  bool passes(const std::string& text) {
    return send(source, {text}) && receive(target) == Frames{text};
  }
  void ends_well() {
    const auto result = proxy.result();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->rc, 0);
  }

  zmq::context_t context;
  Proxy proxy;
  zmq::socket_t source;
  zmq::socket_t target;
  zmq::socket_t controller;
};

TEST(Control, RepAnswersEachCommandOnce) {
  Steered s{socket_type::rep, socket_type::req};
  EXPECT_TRUE(s.passes("1"));
  EXPECT_THAT(s.ask({"PAUSE"}), Optional(ElementsAre("")));
  ASSERT_TRUE(send(s.source, {"2"}));
  EXPECT_THAT(s.ask({"STATISTICS"})->size(), 8U);
  EXPECT_FALSE(receive_now(s.target));
  EXPECT_THAT(s.ask({"RESUME"}), Optional(ElementsAre("")));
  EXPECT_THAT(receive(s.target), Optional(ElementsAre("2")));
  EXPECT_THAT(s.ask({"NONSENSE"})->front(), StartsWith("ERR "));
  EXPECT_THAT(s.ask({"PAUSE", "x"})->front(), StartsWith("ERR "));
  EXPECT_THAT(s.ask({""})->front(), StartsWith("ERR"));
  EXPECT_TRUE(s.passes("3"));
  EXPECT_THAT(s.ask({"TERMINATE"}), Optional(ElementsAre("")));
  s.ends_well();
}

TEST(Control, RouterAnswersWithTheEnvelope) {
  Steered s{socket_type::router, socket_type::req};
  EXPECT_THAT(s.ask({"PAUSE"}), Optional(ElementsAre("")));
  EXPECT_THAT(s.ask({"RESUME"}), Optional(ElementsAre("")));
  auto other = connected(s.context, socket_type::dealer, "inproc://control");
  ASSERT_TRUE(send(other, {"PING"}));
  EXPECT_THAT(receive(other), Optional(ElementsAre("OK")));
  EXPECT_TRUE(s.passes("1"));
  EXPECT_THAT(s.ask({"TERMINATE"}), Optional(ElementsAre("")));
  s.ends_well();
}

void answers_questions_only(socket_type control) {
  Steered s{control, control};
  ASSERT_TRUE(send(s.controller, {"PAUSE"}));
  ASSERT_TRUE(send(s.controller, {"RESUME"}));
  EXPECT_THAT(s.ask({"PING"}), Optional(ElementsAre("OK")));
  EXPECT_TRUE(s.passes("1"));
  EXPECT_THAT(s.ask({"STATISTICS"})->size(), 8U);
  ASSERT_TRUE(send(s.controller, {"TERMINATE"}));
  s.ends_well();
  EXPECT_FALSE(receive_now(s.controller));
}

TEST(Control, PairAnswersQuestionsOnly) {
  answers_questions_only(socket_type::pair);
}
TEST(Control, DealerAnswersQuestionsOnly) {
  answers_questions_only(socket_type::dealer);
}

void takes_commands_only(socket_type control, socket_type controller) {
  Steered s{control, controller};
  if (controller == socket_type::pub) {
    // A PUB drops what nobody has subscribed to: until the first PAUSE has effect.
    ASSERT_TRUE(eventually([&] {
      send(s.controller, {"PAUSE"});
      while (receive_now(s.target)) {
      }
      send(s.source, {"x"});
      s.target.set(zmq::sockopt::rcvtimeo, 20);
      return !receive(s.target);
    }));
    s.target.set(zmq::sockopt::rcvtimeo, static_cast<int>(patience().count()));
    ASSERT_TRUE(send(s.controller, {"RESUME"}));
    ASSERT_TRUE(receive(s.target));
  }
  EXPECT_TRUE(send(s.controller, {"STATISTICS"}));
  EXPECT_TRUE(send(s.controller, {"nonsense", "twice"}));
  ASSERT_TRUE(send(s.controller, {"TERMINATE"}));
  s.ends_well();
}

TEST(Control, Sub) {
  takes_commands_only(socket_type::sub, socket_type::pub);
}
TEST(Control, Pull) {
  takes_commands_only(socket_type::pull, socket_type::push);
}

// As libzmq's own tests do: the command arrives as the reply to a request made before the call.
TEST(Control, ReqPassedIn) {
  zmq::context_t context;
  auto front = make_socket(context, socket_type::pull);
  auto back = make_socket(context, socket_type::push);
  auto control = make_socket(context, socket_type::req);
  control.bind("inproc://control");
  auto controller = connected(context, socket_type::rep, "inproc://control");
  ASSERT_TRUE(send(control, {"hello"}));
  std::thread proxy{[&] {
    EXPECT_EQ(sluice_proxy_steerable(front.handle(), back.handle(), nullptr, control.handle()), 0);
  }};
  EXPECT_TRUE(receive(controller));
  EXPECT_TRUE(send(controller, {"TERMINATE"}));
  proxy.join();
}

TEST(Control, ExtendedWords) {
  Steered s{socket_type::rep, socket_type::req};
  EXPECT_THAT(s.ask({"GET inbound_poll_rate"}), Optional(ElementsAre("OK 1000")));
  EXPECT_THAT(s.ask({"SET inbound_poll_rate 5k"}), Optional(ElementsAre("OK")));
  EXPECT_THAT(s.ask({"GET inbound_poll_rate"}), Optional(ElementsAre("OK 5000")));
  EXPECT_THAT(s.ask({"SET coalesce_delay 500us"}), Optional(ElementsAre("OK")));
  EXPECT_THAT(s.ask({"GET coalesce_delay"}), Optional(ElementsAre("OK 500us")));
  EXPECT_THAT(s.ask({"SET coalesce_delay 1h"})->front(), StartsWith("ERR SET "));
  EXPECT_THAT(s.ask({"SET colour red"})->front(), StartsWith("ERR SET "));
  EXPECT_THAT(s.ask({"GET colour"})->front(), StartsWith("ERR "));
  EXPECT_THAT(s.ask({"ATTACH a inproc://b"})->front(), StartsWith("ERR "));
  EXPECT_THAT(s.ask({"DETACH a inproc://b"})->front(), StartsWith("ERR "));
  EXPECT_THAT(s.ask({"RELOAD"})->front(), StartsWith("ERR "));
  EXPECT_THAT(s.ask({"PAUSE market"})->front(), StartsWith("ERR "));
  EXPECT_TRUE(s.passes("1"));
  EXPECT_THAT(s.ask({"STATUS"})->front(),
              testing::AllOf(StartsWith("OK {"), HasSubstr("\"inbound_poll_rate\":5000"),
                             HasSubstr("inproc://front")));
  EXPECT_THAT(s.ask({"DRAIN"}), Optional(ElementsAre("OK")));
  s.ends_well();
}

TEST(Control, PausedStopsBothDirections) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::pair, socket_type::pair};
  auto a = connected(context, socket_type::pair, "inproc://front");
  auto b = connected(context, socket_type::pair, "inproc://back");
  proxy.start();
  proxy.command("PAUSE");
  EXPECT_TRUE(proxy.ask("PING"));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(send(a, {std::to_string(i)}));
    ASSERT_TRUE(send(b, {std::to_string(i)}));
    EXPECT_TRUE(proxy.ask("PING"));
  }
  EXPECT_FALSE(receive_now(a));
  EXPECT_FALSE(receive_now(b));
  proxy.command("RESUME");
  for (int i = 0; i < 10; ++i) {
    EXPECT_THAT(receive(a), Optional(ElementsAre(std::to_string(i))));
    EXPECT_THAT(receive(b), Optional(ElementsAre(std::to_string(i))));
  }
  EXPECT_TRUE(proxy.terminate());
}

TEST(Control, SubscriptionsPassWhilePaused) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::xsub, socket_type::xpub};
  auto source = connected(context, socket_type::xpub, "inproc://front");
  proxy.start();
  proxy.command("PAUSE");
  EXPECT_TRUE(proxy.ask("PING"));
  auto subscriber = connected(context, socket_type::sub, "inproc://back");
  EXPECT_TRUE(receive(source));
  EXPECT_TRUE(proxy.terminate());
}

TEST(Control, UnreadAnswersDoNoHarm) {
  Steered s{socket_type::dealer, socket_type::dealer};
  for (int i = 0; i < 5000; ++i) {
    while (!s.controller.send(zmq::str_buffer("STATISTICS"), zmq::send_flags::dontwait)) {
      if (!receive_now(s.controller)) std::this_thread::yield();
    }
  }
  EXPECT_TRUE(s.passes("1"));
  ASSERT_TRUE(send(s.controller, {"TERMINATE"}));
  s.ends_well();
}

// Nobody reads what is forwarded: commands are answered all the same.
void answers_while_stuck(bool both) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::dealer, socket_type::dealer};
  auto a = connected(context, socket_type::dealer, "inproc://front");
  auto b = connected(context, socket_type::dealer, "inproc://back");
  proxy.start();
  const auto fill = [](zmq::socket_t& socket) {
    socket.set(zmq::sockopt::sndtimeo, 50);
    while (send(socket, {"x"})) {
    }
  };
  fill(a);
  if (both) fill(b);
  for (int i = 0; i < 20; ++i) EXPECT_THAT(proxy.ask("PING"), Optional(ElementsAre("OK")));
  const auto result = proxy.terminate();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rc, 0);
}

TEST(Control, AnswersWhileOneDirectionIsStuck) {
  answers_while_stuck(false);
}
TEST(Control, AnswersWhileBothDirectionsAreStuck) {
  answers_while_stuck(true);
}

// The direction from the backend alone, and then both, never stop.
void answers_under_flood(bool both) {
  zmq::context_t context;
  Proxy proxy{context, socket_type::dealer, socket_type::dealer};
  proxy.start();
  std::atomic<bool> stop{false};
  const auto flood = [&](const char* endpoint) {
    auto socket = connected(context, socket_type::dealer, endpoint);
    while (!stop) {
      (void)socket.send(zmq::str_buffer("x"), zmq::send_flags::dontwait);
      while (receive_now(socket)) {
      }
    }
  };
  std::thread back{flood, "inproc://back"};
  std::thread front{both ? std::thread{flood, "inproc://front"} : std::thread{[&] {
    auto socket = connected(context, socket_type::dealer, "inproc://front");
    while (!stop) receive_now(socket);
  }}};
  for (int i = 0; i < 50; ++i) EXPECT_THAT(proxy.ask("PING"), Optional(ElementsAre("OK")));
  const auto result = proxy.terminate();
  stop = true;
  back.join();
  front.join();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->rc, 0);
}

TEST(Control, AnswersUnderFloodFromTheBackend) {
  answers_under_flood(false);
}
TEST(Control, AnswersUnderFloodBothWays) {
  answers_under_flood(true);
}

}  // namespace
}  // namespace sluice::test
