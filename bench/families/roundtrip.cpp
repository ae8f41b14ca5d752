// SPDX-License-Identifier: Apache-2.0
#include "core/base/clock.hpp"
#include "families/family.hpp"
#include "process/child.hpp"
#include "roundtrip/asker.hpp"
#include "roundtrip/echo.hpp"
#include "roundtrip/request_proxy.hpp"
#include "tcp.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace sluice::bench {

namespace {

constexpr const char* k_transports[] = {"tcp", "ipc", "abstract"};
constexpr int k_series = 1000;

std::vector<std::string> echo_command(const std::string& kind, const std::string& endpoint) {
  return {std::filesystem::read_symlink("/proc/self/exe").string(), k_echo_word, kind, endpoint};
}

/// Who asks, who answers, and what is between them.
class Course {
 public:
  Course(const std::string& variant, const std::string& transport) {
    // The server is another process and needs an endpoint that both know.
    const auto endpoint = transport == "tcp" ? free_tcp_endpoint() : fresh_endpoint(transport);
    if (variant == "raw") {
      m_server.emplace(make_child_folder(), echo_command("raw", endpoint));
      m_asker = make_raw_asker(endpoint);
    } else if (variant == "direct") {
      m_server.emplace(make_child_folder(), echo_command("bind", endpoint));
      m_asker = make_zmq_asker(m_client_context.get(), endpoint);
    } else {
      m_proxy.emplace(m_context.get(), transport, variant == "call");
      m_server.emplace(make_child_folder(), echo_command("connect", m_proxy->back()));
      m_asker = make_zmq_asker(m_client_context.get(), m_proxy->front());
    }
    m_asker->ask();  // from now on everything is connected
  }

  Asker& asker() noexcept { return *m_asker; }
  [[nodiscard]] std::vector<pid_t> threads() const {
    return m_proxy ? std::vector<pid_t>{m_proxy->thread()} : std::vector<pid_t>{};
  }

 private:
  Context m_context;
  Context m_client_context;
  std::optional<RequestProxy> m_proxy;
  std::optional<Child> m_server;
  std::unique_ptr<Asker> m_asker;
};

Figures measure(const std::string& variant, const std::string& transport,
                std::chrono::nanoseconds duration) {
  Course course(variant, transport);
  Histogram one;
  std::vector<double> series_ms;
  for (int i = 0; i < k_series; ++i) course.asker().ask();  // warm
  const Usage before = read_usage(course.threads());
  const auto begin = core::now();
  auto now = begin;
  do {
    const auto series_begin = now;
    for (int i = 0; i < k_series; ++i) {
      const auto asked = now;
      course.asker().ask();
      now = core::now();
      one.add(now - asked);
    }
    series_ms.push_back(static_cast<double>(now - series_begin) /
                        static_cast<double>(core::k_millisecond));
  } while (now - begin < duration.count());
  const Spent used = spent(before, read_usage(course.threads()));
  Figures figures;
  figures.seconds = static_cast<double>(now - begin) / static_cast<double>(core::k_second);
  figures.steal_percent = used.steal_percent;
  std::sort(series_ms.begin(), series_ms.end());
  const auto count = static_cast<double>(one.total());
  auto& counters = figures.counters;
  counters["thousand_ms"] = series_ms[series_ms.size() / 2];
  counters["thousand_min_ms"] = series_ms.front();
  counters["round_trips"] = count;
  counters["p50_us"] = one.quantile_ns(0.50) / 1e3;
  counters["p99_us"] = one.quantile_ns(0.99) / 1e3;
  counters["max_us"] = one.quantile_ns(1.0) / 1e3;
  if (used.forwarding_cpu_ns > 0) {
    counters["cpu_ns_per_round_trip"] = used.forwarding_cpu_ns / count;
    if (used.calls) counters["forwarding_syscalls_per_round_trip"] = used.calls->forwarding / count;
  }
  return figures;
}

}  // namespace

std::vector<Case> roundtrip_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const char* variant : {"raw", "direct", "stock", "call"}) {
    for (const char* transport : k_transports) {
      const auto name = std::string("roundtrip/") + variant + "/" + transport;
      cases.push_back({name, [flags, variant, transport](benchmark::State& state) {
                         run_figures(state, flags,
                                     [&] { return measure(variant, transport, flags.duration()); });
                       }});
    }
  }
  return cases;
}

}  // namespace sluice::bench
