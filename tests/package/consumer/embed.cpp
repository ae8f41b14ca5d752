// SPDX-License-Identifier: Apache-2.0
#include <sluice/sluice.hpp>

#include <iostream>
#include <string>

int main() {
  zmq::context_t context;  // the host's own

  sluice::SourceOptions feed{.name = "feed", .bind = {"inproc://feed"}};
  sluice::SinkOptions edge{.name = "edge", .bind = {"tcp://127.0.0.1:*"}};
  sluice::Route route{context, {.name = "market", .sources = {feed}, .sinks = {edge}}};
  route.start();  // returns once every endpoint is bound

  // Publishers anywhere in the process: connect, no matter when or how often.
  zmq::socket_t source{context, zmq::socket_type::xpub};
  source.connect("inproc://feed");

  // A subscriber, here in the same process to keep the example in one file.
  zmq::socket_t subscriber{context, zmq::socket_type::sub};
  subscriber.set(zmq::sockopt::subscribe, "price.");
  subscriber.connect(route.status().sinks.at(0).endpoints.at(0));

  zmq::message_t frame;
  (void)source.recv(frame);  // its subscription has come up to the source: now nothing is missed
  source.send(zmq::buffer(std::string{"price.ZMQ 42"}), zmq::send_flags::none);
  (void)subscriber.recv(frame);
  std::cout << frame.to_string() << '\n';

  route.set({.inbound_poll_rate = 10'000, .coalesce_delay = std::chrono::microseconds{500}});
  const auto result = route.stop(std::chrono::seconds{1});
  std::cout << route.statistics().backend.sent_messages << " forwarded\n";
  return result == sluice::StopResult::stopped ? 0 : 1;
}
