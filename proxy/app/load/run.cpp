// SPDX-License-Identifier: Apache-2.0
#include "app/load/run.hpp"

#include "app/load/publisher.hpp"
#include "app/load/subscribers.hpp"

#include <algorithm>
#include <memory>
#include <thread>

namespace sluice::app::load {
namespace {

using core::Nanoseconds;

constexpr unsigned k_sockets_of_a_thread = 16;
constexpr Nanoseconds k_tick = 100 * core::k_millisecond;  // of the progress
constexpr auto k_step = std::chrono::milliseconds(2);
constexpr Nanoseconds k_lead = 20 * core::k_millisecond;

bool matches(const Options& options, const std::string& topic) {
  return std::any_of(options.subscriptions.begin(), options.subscriptions.end(),
                     [&](const std::string& prefix) { return topic.starts_with(prefix); });
}

/// One load; made, run and destroyed by one thread.
class Run {
 public:
  Run(const Options& options, const OnProgress& on_progress)
      : m_options(options), m_on_progress(on_progress), m_context(1, socket_limit(options)) {}

  Result run() {
    open_publishers();
    open_subscribers();
    await_other_side();
    start();
    if (m_publishers.empty()) {
      receive();
    } else {
      publish();
      settle();
    }
    return collect();
  }

 private:
  static int socket_limit(const Options& options) {
    return static_cast<int>(options.publishers + options.subscribers) + 16;
  }

  void open_publishers() {
    if (m_options.publish.empty()) return;
    const std::uint64_t n = m_options.publishers;
    const std::uint64_t total = m_options.rate;
    for (unsigned i = 0; i < n; ++i) {
      const auto part = [&](std::uint64_t whole) { return whole / n + (i < whole % n ? 1 : 0); };
      Publisher::Share share{.index = i};
      share.rate = total == 0 ? 0 : std::max<std::uint64_t>(part(total), 1);
      share.count = m_options.count ? part(*m_options.count) : 0;
      if (m_options.count && share.count == 0) continue;
      // Evenly out of step with each other.
      if (share.rate > 0) {
        share.offset = static_cast<Nanoseconds>(m_options.burst) * core::k_second /
                       static_cast<Nanoseconds>(share.rate) * i / static_cast<Nanoseconds>(n);
      }
      m_publishers.push_back(
          std::make_unique<Publisher>(m_context, m_options, share, !m_options.subscribe.empty()));
    }
  }

  void open_subscribers() {
    if (m_options.subscribe.empty()) return;
    std::vector<std::uint64_t> awaited;
    for (const auto& publisher : m_publishers) {
      for (const std::string& topic : m_options.topics) {
        if (matches(m_options, topic)) awaited.push_back(stream_of(publisher->name(), topic));
      }
    }
    if (!m_publishers.empty() && awaited.empty()) {
      throw UsageError("no topic of --topics matches --subscriptions");
    }
    for (unsigned left = m_options.subscribers; left > 0;) {
      const unsigned sockets = std::min(left, k_sockets_of_a_thread);
      m_subscribers.push_back(
          std::make_unique<Subscribers>(m_context, m_options, sockets, awaited));
      left -= sockets;
    }
  }

  [[nodiscard]] bool other_side_is_there() const {
    if (m_publishers.empty()) return received() > 0;
    if (m_subscribers.empty()) {
      return std::all_of(m_publishers.begin(), m_publishers.end(),
                         [](const auto& p) { return p->subscribed(); });
    }
    unsigned ready = 0;
    for (const auto& group : m_subscribers) ready += group->ready();
    return ready == m_options.subscribers;
  }

  void await_other_side() {
    const Nanoseconds deadline = core::now() + core::to_ns(m_options.wait);
    while (!other_side_is_there()) {
      if (!tick(0)) return;
      if (core::now() < deadline) continue;
      if (m_publishers.empty()) throw NobodyThere("nothing came within " + wait_text());
      throw NobodyThere(m_subscribers.empty()
                            ? "nobody subscribed within " + wait_text()
                            : "the subscribers were not reached within " + wait_text() +
                                  ": is there a proxy between the endpoints?");
    }
  }

  [[nodiscard]] std::string wait_text() const {
    return std::to_string(m_options.wait.count()) + " ms";
  }

  void start() {
    m_start = core::now() + k_lead;
    for (auto& publisher : m_publishers) publisher->go(m_start);
  }

  void publish() {
    const auto all_done = [this] {
      return std::all_of(m_publishers.begin(), m_publishers.end(),
                         [](const auto& p) { return p->done(); });
    };
    while (!all_done()) {
      if (!tick(fraction())) {
        for (auto& publisher : m_publishers) publisher->request_stop();
        while (!all_done()) std::this_thread::sleep_for(k_step);
      }
    }
  }

  void receive() {
    const Nanoseconds end = m_start + core::to_ns(m_options.duration);
    while (m_options.count ? fewest() < *m_options.count : core::now() < end) {
      if (!tick(fraction())) return;
    }
  }

  // Until everything has come, or nothing has for a while; also of a load that was ended early.
  void settle() {
    if (m_subscribers.empty()) return;
    m_expected = 0;
    for (const StreamTotal& total : totals()) m_expected += total.sent;
    m_expected *= m_options.subscribers;
    std::uint64_t seen = received();
    Nanoseconds changed = core::now();
    while (seen < m_expected && core::now() - changed < core::to_ns(m_options.settle)) {
      static_cast<void>(tick(1));
      const std::uint64_t now_received = received();
      if (now_received != seen) changed = core::now();
      seen = now_received;
    }
  }

  [[nodiscard]] std::vector<StreamTotal> totals() const {
    std::vector<StreamTotal> out;
    for (const auto& publisher : m_publishers) {
      for (std::size_t t = 0; t < m_options.topics.size(); ++t) {
        const std::string& topic = m_options.topics[t];
        if (!matches(m_options, topic)) continue;
        out.push_back({stream_of(publisher->name(), topic), publisher->sent_by_topic()[t]});
      }
    }
    return out;
  }

  Result collect() {
    Result r;
    r.interrupted = m_interrupted;
    for (const auto& publisher : m_publishers) {
      r.sent += publisher->sent();
      r.unsent += publisher->unsent();
      r.lateness.merge(publisher->lateness());
      r.send_seconds = std::max(r.send_seconds, seconds(publisher->ended() - m_start));
    }
    Nanoseconds first = 0;
    Nanoseconds last = 0;
    const std::vector<StreamTotal> sent = totals();
    for (const auto& group : m_subscribers) {
      group->stop();
      group->account(sent);
      r.received_bytes += group->bytes();
      r.foreign += group->foreign();
      r.latency.merge(group->latency());
      if (group->first() != 0)
        first = first == 0 ? group->first() : std::min(first, group->first());
      last = std::max(last, group->last());
      for (const auto& ledger : group->ledgers()) {
        r.fewest = r.received == 0 ? ledger->received() : std::min(r.fewest, ledger->received());
        r.received += ledger->received();
        r.lost += ledger->lost();
        r.disorder += ledger->disorder();
      }
    }
    if (!m_publishers.empty() && !m_subscribers.empty()) r.expected = m_expected;
    r.receive_seconds = seconds(last - (m_publishers.empty() ? first : m_start));
    return r;
  }

  static double seconds(Nanoseconds time) {
    return static_cast<double>(std::max<Nanoseconds>(time, 0)) / 1e9;
  }

  [[nodiscard]] std::uint64_t received() const {
    std::uint64_t sum = 0;
    for (const auto& group : m_subscribers) sum += group->received();
    return sum;
  }

  [[nodiscard]] std::uint64_t fewest() const {
    std::uint64_t fewest = ~std::uint64_t{0};
    for (const auto& group : m_subscribers) fewest = std::min(fewest, group->fewest());
    return fewest;
  }

  [[nodiscard]] std::uint64_t sent() const {
    std::uint64_t sum = 0;
    for (const auto& publisher : m_publishers) sum += publisher->sent();
    return sum;
  }

  [[nodiscard]] double fraction() const {
    if (m_options.count) {
      return static_cast<double>(m_publishers.empty() ? fewest() : sent()) /
             static_cast<double>(*m_options.count);
    }
    return seconds(core::now() - m_start) /
           (static_cast<double>(m_options.duration.count()) / 1'000);
  }

  // A short sleep, and now and then the progress; false when it is to end.
  bool tick(double done) {
    std::this_thread::sleep_for(k_step);
    const Nanoseconds time = core::now();
    if (m_interrupted || time - m_told < k_tick) return !m_interrupted;
    m_told = time;
    m_interrupted = !m_on_progress({std::clamp(done, 0.0, 1.0), sent(), received()});
    return !m_interrupted;
  }

  const Options& m_options;
  const OnProgress& m_on_progress;
  zmq::context_t m_context;
  std::vector<std::unique_ptr<Publisher>> m_publishers;
  std::vector<std::unique_ptr<Subscribers>> m_subscribers;
  Nanoseconds m_start = 0;
  Nanoseconds m_told = 0;
  std::uint64_t m_expected = 0;
  bool m_interrupted = false;
};

}  // namespace

Result run_load(const Options& options, const OnProgress& on_progress) {
  return Run(options, on_progress).run();
}

}  // namespace sluice::app::load
