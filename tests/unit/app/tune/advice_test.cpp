// SPDX-License-Identifier: Apache-2.0
#include "app/tune/advice.hpp"

#include "app/command/arguments.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sluice::app::tune {
namespace {

using namespace std::chrono_literals;

config::LoadedConfig loaded(const std::string& text) {
  config::Sources sources;
  sources.path = "t.ini";
  sources.text = text;
  sources.use_text = true;
  sources.directory = "/run/t";
  config::LoadResult result = config::load(sources);
  if (auto* config = std::get_if<config::LoadedConfig>(&result)) return std::move(*config);
  ADD_FAILURE() << std::get<config::Errors>(result).front().to_string();
  return {};
}

const std::string k_one =
    "[route market]\ninbound_poll_rate = 1k\n[source s]\nbind = ipc:///a\n"
    "[sink k]\nbind = tcp://127.0.0.1:7001\n[sink l]\nengine = zmq\nbind = ipc:///b\n";
const std::string k_two =
    "[route a]\n[route b]\n[source s]\nroute = a\nbind = ipc:///a\n[source t]\nroute = b\n"
    "bind = ipc:///b\n[sink k]\nroute = a\nbind = ipc:///c\non_full = disconnect\n[sink l]\n"
    "route = b\nengine = zmq\nconnect = ipc:///d\n";

std::string text_of_changes(const std::vector<config::NewValue>& changes) {
  std::string out;
  for (const auto& change : changes) out += change.path + '=' + change.text + '\n';
  return out;
}

TEST(TuneAdvice, FindsTheRouteAndTheEnginesItCanHave) {
  EXPECT_EQ(find_subject(loaded(k_one), "").route, "market");
  EXPECT_EQ(find_subject(loaded(k_one), "").engines.size(), 2U);
  EXPECT_EQ(find_subject(loaded(k_two), "a").engines, std::vector<Engine>{Engine::native});
  EXPECT_EQ(find_subject(loaded(k_two), "b").engines, std::vector<Engine>{Engine::zmq});
  EXPECT_THROW(static_cast<void>(find_subject(loaded(k_two), "")), UsageError);
  EXPECT_THROW(static_cast<void>(find_subject(loaded(k_one), "makret")), UsageError);
}

TEST(TuneAdvice, ChangesOnlyWhatIsDifferent) {
  const auto config = loaded(k_one);
  const Subject subject = find_subject(config, "");
  Knobs knobs{.engine = Engine::native, .tuning = {}};
  EXPECT_EQ(text_of_changes(changes(config, subject, knobs)), "sink.l.engine=native\n");
  knobs.engine = Engine::zmq;
  knobs.tuning.coalesce_delay = 250us;
  EXPECT_EQ(text_of_changes(changes(config, subject, knobs)),
            "route.market.coalesce_delay=250us\nsink.k.engine=zmq\n");
  knobs.tuning = {};
  knobs.tuning.mode = TuningMode::adaptive;
  knobs.tuning.latency_budget = 500us;
  EXPECT_EQ(text_of_changes(changes(config, subject, knobs)),
            "route.market.tuning=adaptive\nroute.market.latency_budget=500us\n"
            "sink.k.engine=zmq\n");
}

TEST(TuneWorkload, FlagsWinOverTheProxyOverTheFile) {
  const auto plain = loaded(k_one);
  const auto generators = loaded(k_one + "[generator g]\nrate = 3k\nsize = 200\n");
  const Workload assumed = make_workload({}, {}, plain, "market");
  EXPECT_EQ(assumed.rate, 10'000U);
  EXPECT_TRUE(assumed.tcp);
  EXPECT_FALSE(assumed.notes.empty());
  const Workload of_file = make_workload({}, {}, generators, "market");
  EXPECT_EQ(of_file.rate, 3'000U);
  EXPECT_EQ(of_file.size, 200U);
  EXPECT_EQ(of_file.publishers, 1U);
  const Observed observed{.messages_per_s = 7'000.4, .bytes_per_message = 8, .subscribers = 80};
  const Workload of_proxy = make_workload({}, observed, generators, "market");
  EXPECT_EQ(of_proxy.rate, 7'000U);
  EXPECT_EQ(of_proxy.size, 25U);  // room for number and time
  EXPECT_EQ(of_proxy.subscribers, 50U);
  EXPECT_EQ(of_proxy.notes.size(), 3U);
  Wanted wanted;
  wanted.rate = 5;
  wanted.subscribers = 2;
  const Workload asked = make_workload(wanted, observed, generators, "market");
  EXPECT_EQ(asked.rate, 5U);
  EXPECT_EQ(asked.subscribers, 2U);
}

TEST(TuneReport, SaysWhatIsRecommendedAndWhy) {
  const auto config = loaded(k_one);
  Report r;
  r.subject = find_subject(config, "");
  r.workload = make_workload({}, {}, config, "market");
  r.budget = 2ms;
  for (const Knobs& knobs : hold_candidates({Engine::native}, r.budget, 10'000)) {
    HoldRow row{.knobs = knobs, .median = {}, .messages_per_s = 1e6, .pareto = true};
    row.median.cpu_ns = 1'234;
    row.median.calls = 2.5;
    r.findings.holds.push_back(row);
  }
  for (const Knobs& knobs : look_candidates(r.findings.holds[1].knobs)) {
    r.findings.looks.push_back({.knobs = knobs, .median = {}, .pareto = false});
  }
  r.findings.recommended = r.findings.looks[1].knobs;
  r.findings.looks_judged = Judged::p50;
  r.changes = changes(config, r.subject, r.findings.recommended);
  const std::string text = report_text(r);
  for (const char* part :
       {"1,234", "2.50", "<-", "recommended for a latency budget of 2ms: engine native",
        "sink.l.engine = native", "p50 was judged instead", "are assumed"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  }
  const auto json = nlohmann::json::parse(report_json(r));
  EXPECT_EQ(json.at("holds").size(), r.findings.holds.size());
  EXPECT_EQ(json.at("looks").size(), 4U);
  EXPECT_EQ(json.at("recommended").at("engine"), "native");
  EXPECT_EQ(json.at("recommended").at("cpu_ns_per_message"), 1'234);
  EXPECT_EQ(json.at("changes").at("sink.l.engine"), "native");
  EXPECT_EQ(json.at("judged").at("looks"), "p50");
}

}  // namespace
}  // namespace sluice::app::tune
