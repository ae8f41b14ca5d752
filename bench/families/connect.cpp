// SPDX-License-Identifier: Apache-2.0
#include "connect/newcomer.hpp"
#include "connect/responder.hpp"
#include "core/base/clock.hpp"
#include "families/family.hpp"
#include "path.hpp"
#include "socket.hpp"

namespace sluice::bench {

namespace {

constexpr const char* k_variants[] = {"stock", "zmq", "native", "direct"};
constexpr const char* k_transports[] = {"tcp", "ipc", "abstract"};
constexpr int k_warm_up = 5;

struct Plan {
  std::string variant;
  std::string client;  ///< "raw", "timed" or "zmq"
  PathOptions path;
  std::chrono::nanoseconds duration;
};

Steps connect_one(const std::string& client, void* context, const std::string& endpoint,
                  const std::string& topic) {
  if (client == "zmq") return zmq_newcomer(context, endpoint, topic);
  return client == "raw" ? raw_newcomer(endpoint, topic) : timed_newcomer(endpoint, topic);
}

Figures measure(const Plan& plan) {
  Context context;
  Context client_context;
  const auto path = make_path(plan.variant, context.get(), plan.path);
  path->start();
  Responder responder(context.get(), path->source_endpoint(0), path->sources_bind());
  const auto endpoint =
      path->sources_bind() ? responder.endpoint() : path->subscriber_endpoints().front();
  Histogram create;
  Histogram connect;
  Histogram first;
  Histogram close;
  Histogram total;
  const Usage before = read_usage({});
  auto begin = core::now();
  int round = 0;
  for (; core::now() - begin < plan.duration.count() || round <= k_warm_up; ++round) {
    const auto topic = "t" + std::to_string(round) + ".";
    const Steps steps = connect_one(plan.client, client_context.get(), endpoint, topic);
    if (round < k_warm_up) {
      begin = core::now();
      continue;
    }
    create.add(steps.create);
    connect.add(steps.connect);
    first.add(steps.first);
    close.add(steps.close);
    total.add(steps.total());
  }
  Figures figures;
  figures.seconds = static_cast<double>(core::now() - begin) / static_cast<double>(core::k_second);
  figures.steal_percent = spent(before, read_usage({})).steal_percent;
  write_quantiles(figures.counters, "create", create);
  write_quantiles(figures.counters, "connect", connect);
  write_quantiles(figures.counters, "first", first);
  write_quantiles(figures.counters, "close", close);
  write_quantiles(figures.counters, "total", total);
  figures.counters["rounds"] = static_cast<double>(total.total());
  path->stop();
  return figures;
}

Case connect_case(const Flags& flags, const std::string& variant, const std::string& transport,
                  const std::string& client) {
  Plan plan{variant, client, flags.path_options(), flags.duration()};
  plan.path.sources = 1;
  plan.path.transport = transport;
  return {"connect/" + variant + "/" + transport + "/client:" + client,
          [flags, plan](benchmark::State& state) {
            run_figures(state, flags, [&plan] { return measure(plan); });
          }};
}

}  // namespace

std::vector<Case> connect_cases(const Flags& flags) {
  std::vector<Case> cases;
  for (const char* client : {"raw", "zmq"}) {
    for (const char* transport : k_transports) {
      for (const char* variant : k_variants) {
        cases.push_back(connect_case(flags, variant, transport, client));
      }
    }
  }
  for (const char* transport : k_transports) {
    cases.push_back(connect_case(flags, "stock", transport, "timed"));
  }
  return cases;
}

}  // namespace sluice::bench
