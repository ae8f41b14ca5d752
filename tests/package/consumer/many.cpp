// SPDX-License-Identifier: Apache-2.0
// A host with several inproc XPUB sources on threads of their own and a tcp sink under policy
// block: every message must arrive, in order per source.
#include <sluice/sluice.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <thread>
#include <vector>

namespace {

constexpr std::uint32_t k_sources = 3;
constexpr std::uint32_t k_messages = 20'000;

void publish(zmq::context_t& context, std::uint32_t id) {
  zmq::socket_t socket{context, zmq::socket_type::xpub};
  socket.set(zmq::sockopt::xpub_nodrop, true);
  socket.connect("inproc://feed");
  zmq::message_t subscription;
  (void)socket.recv(subscription);
  for (std::uint32_t i = 0; i < k_messages; ++i) {
    const std::array<std::uint32_t, 2> data{id, i};
    socket.send(zmq::buffer(data), zmq::send_flags::none);
  }
}

}  // namespace

int main() {
  zmq::context_t context;
  sluice::RouteOptions options;
  options.sources.push_back({.name = "feed", .bind = {"inproc://feed"}});
  options.sinks.push_back({.name = "edge", .bind = {"tcp://127.0.0.1:*"}});
  options.sinks.back().on_full = sluice::OnFull::block;
  sluice::Route route{context, options};
  route.start();

  zmq::socket_t subscriber{context, zmq::socket_type::sub};
  subscriber.set(zmq::sockopt::subscribe, "");
  subscriber.set(zmq::sockopt::rcvtimeo, 10'000);
  subscriber.connect(route.status().sinks.at(0).endpoints.at(0));

  std::vector<std::thread> sources;
  for (std::uint32_t id = 0; id < k_sources; ++id) {
    sources.emplace_back([&context, id] { publish(context, id); });
  }
  std::array<std::uint32_t, k_sources> next{};
  int result = 0;
  for (std::uint32_t i = 0; i < k_sources * k_messages && result == 0; ++i) {
    zmq::message_t message;
    std::array<std::uint32_t, 2> data{};
    if (!subscriber.recv(message) || message.size() != sizeof data) {
      std::cerr << "only " << i << " messages\n";
      result = 1;
      break;
    }
    std::memcpy(data.data(), message.data(), sizeof data);
    if (data[0] >= k_sources || data[1] != next.at(data[0])++) {
      std::cerr << "source " << data[0] << " out of order at " << data[1] << '\n';
      result = 1;
    }
  }
  if (result != 0) std::_Exit(result);  // sources may hang in a send
  for (auto& source : sources) source.join();
  if (route.stop(std::chrono::seconds{2}) != sluice::StopResult::stopped) return 2;
  std::cout << k_sources * k_messages << " messages in order\n";
  return 0;
}
