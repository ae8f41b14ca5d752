// SPDX-License-Identifier: Apache-2.0
#include "receiver/process.hpp"

#include "core/base/clock.hpp"
#include "receiver/subscribers.hpp"

#include <array>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>

namespace sluice::bench {

namespace {

// After the sources have ended: nothing new for this long means that the rest is lost.
constexpr std::int64_t k_quiet_ns = 3 * core::k_second;
constexpr int k_finish_poll_ms = 50;

void say(const std::string& text) {
  send(k_receiver_control_fd, text.data(), text.size(), MSG_NOSIGNAL);
}

/// Nothing when the other end is gone.
std::optional<std::string> hear() {
  std::array<char, 4096> text{};
  const auto n = recv(k_receiver_control_fd, text.data(), text.size(), 0);
  if (n <= 0) return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(n));
}

std::uint64_t parse_totals(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  in >> word;
  if (word != "finish") throw std::runtime_error("unknown word " + word);
  std::uint64_t total = 0;
  for (std::uint64_t value = 0; in >> value;) total += value;
  return total;
}

std::string report(const Tally& tally) {
  std::ostringstream out;
  out << "report " << tally.messages() << ' ' << tally.bytes() << ' ' << tally.disorder() << ' '
      << tally.last_ns() << '\n'
      << tally.latency().text() << '\n'
      << tally.first().text() << '\n'
      << tally.last().text() << '\n';
  return out.str();
}

void serve(const ReceiverOptions& options) {
  const auto subscribers =
      options.kind == "zmq" ? make_zmq_subscribers(options) : make_raw_subscribers(options);
  Tally tally(options.subscribers, options.idle_probed() ? options.idle : 0, options.sources,
              options.rounds != ReceiverOptions::Rounds::none);
  bool connected = false;
  bool ready = false;
  std::optional<std::uint64_t> expected;
  std::uint64_t progress = 0;
  std::int64_t progress_ns = 0;
  for (;;) {
    // Before the wait: libzmq's subscribers count as connected from the start.
    if (!connected && subscribers->connected()) {
      connected = true;
      say("connected");
    }
    const bool control =
        subscribers->wait(tally, k_receiver_control_fd, expected ? k_finish_poll_ms : -1);
    if (!ready && connected && tally.probed()) {
      ready = true;
      say("ready");
    }
    if (options.rounds == ReceiverOptions::Rounds::announce) {
      for (auto rounds = tally.take_rounds(); rounds != 0; --rounds) say("round");
    }
    if (control) {
      const auto text = hear();
      if (!text) return;
      expected = parse_totals(*text) * options.subscribers;
      progress_ns = core::now();
    }
    if (!expected) continue;
    if (tally.progress() != progress) {
      progress = tally.progress();
      progress_ns = core::now();
    }
    if (progress >= *expected || core::now() - progress_ns > k_quiet_ns) {
      say(report(tally));
      hear();  // stay connected until the other end has read its counters
      return;
    }
  }
}

}  // namespace

std::vector<std::string> topics_of(const ReceiverOptions& options, std::size_t index) {
  if (index < options.subscribers) {
    return {std::string(k_data_topic), std::string(k_probe_topic)};
  }
  std::vector<std::string> topics;
  for (std::size_t i = 0; i < options.idle_topics; ++i) topics.push_back(idle_topic(i));
  if (options.idle_probed()) topics.emplace_back(k_probe_topic);
  return topics;
}

int run_receiver(const std::vector<std::string>& words) {
  try {
    serve(parse_arguments(words));
    return 0;
  } catch (const std::exception& error) {
    say(std::string("error ") + error.what());
    return 1;
  }
}

}  // namespace sluice::bench
