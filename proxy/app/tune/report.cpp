// SPDX-License-Identifier: Apache-2.0
#include "app/terminal/text_table.hpp"
#include "app/tune/advice.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace sluice::app::tune {
namespace {

using Json = nlohmann::ordered_json;

std::string whole(double number) {
  return grouped(static_cast<std::uint64_t>(std::llround(number)));
}

std::string hold_column(const Tuning& t) {
  return t.mode == TuningMode::adaptive ? "adaptive " + text_of(t.latency_budget)
                                        : text_of(t.coalesce_delay);
}

bool same_hold(const Knobs& a, const Knobs& b) {
  return a.engine == b.engine && a.tuning.mode == b.tuning.mode &&
         a.tuning.coalesce_delay == b.tuning.coalesce_delay;
}

std::string mark(bool pareto, bool recommended) {
  return recommended ? "<-" : pareto ? "*" : "";
}

const InFlood* flood_of(const Findings& f) {
  for (const LookRow& row : f.looks) {
    if (row.knobs == f.recommended) return &row.median;
  }
  return nullptr;
}

std::string holds_table(const Report& report) {
  TextTable table(
      {"ENGINE", "HOLD", "FLOOD MSG/S", "CPU NS/MSG", "CALLS/MSG", "P50 US", "P99 US", "PARETO"});
  for (const HoldRow& row : report.findings.holds) {
    table.add({to_string(row.knobs.engine), hold_column(row.knobs.tuning),
               whole(row.messages_per_s), whole(row.median.cpu_ns),
               row.median.calls ? fixed(*row.median.calls, 2) : "-", whole(row.median.p50_us),
               whole(row.median.p99_us),
               mark(row.pareto, same_hold(row.knobs, report.findings.recommended))});
  }
  return table.text();
}

std::string looks_table(const Report& report) {
  TextTable table({"LOOK EVERY", "AT LEAST EVERY", "FLOOD MSG/S", "CPU NS/MSG", "COMMAND P50 US",
                   "COMMAND P99 US", "PARETO"});
  for (const LookRow& row : report.findings.looks) {
    table.add({grouped(row.knobs.tuning.inbound_poll_rate),
               text_of(row.knobs.tuning.max_command_delay), whole(row.median.messages_per_s),
               whole(row.median.cpu_ns), whole(row.median.command_p50_us),
               whole(row.median.command_p99_us),
               mark(row.pareto, row.knobs == report.findings.recommended)});
  }
  return table.text();
}

std::string judged_text(Judged judged, const char* whose, std::chrono::nanoseconds budget) {
  if (judged == Judged::p99) return {};
  const std::string all =
      std::string("no setting kept ") + whose + " p99 within " + text_of(budget);
  if (judged == Judged::p50) {
    return all + ", so it is not the settings that make it long: p50 was judged instead\n";
  }
  return all + ", nor its p50: the quickest is recommended\n";
}

const char* judged_word(Judged judged) {
  return judged == Judged::p99 ? "p99" : judged == Judged::p50 ? "p50" : "nothing";
}

Json knobs_json(const Knobs& k) {
  Json out = {{"engine", to_string(k.engine)},
              {"inbound_poll_rate", k.tuning.inbound_poll_rate},
              {"max_command_delay", text_of(k.tuning.max_command_delay)},
              {"coalesce_delay", text_of(k.tuning.coalesce_delay)},
              {"tuning", to_string(k.tuning.mode)}};
  if (k.tuning.mode == TuningMode::adaptive) {
    out["latency_budget"] = text_of(k.tuning.latency_budget);
  }
  return out;
}

}  // namespace

std::string report_text(const Report& r) {
  const Workload& w = r.workload;
  std::string out = "workload    route " + r.subject.route + ": " + grouped(w.rate) +
                    " messages/s of " + grouped(w.size) + " bytes, " + grouped(w.publishers) +
                    " publishers over ipc, " + grouped(w.subscribers) + " subscribers over " +
                    (w.tcp ? "tcp" : "ipc") + '\n';
  for (const std::string& note : w.notes) out += "            " + note + '\n';
  out += "measured    " + std::to_string(r.findings.rounds) + " rounds, medians, in " +
         fixed(r.seconds, 0) + " s; CPU is that of the whole sidecar\n\n";
  out += holds_table(r) + "\nlooks at commands, engine " +
         to_string(r.findings.recommended.engine) + ", in a flood:\n" + looks_table(r);
  out += "\n* nothing else is at least as good in everything;  <- recommended\n";
  if (r.findings.lateness_us * 4'000 > static_cast<double>(r.budget.count())) {
    out += "this machine was busy: half of the settings saw the load itself sent " +
           whole(r.findings.lateness_us) +
           " us late or more (p99), which is part of every latency\n";
  }
  out += judged_text(r.findings.holds_judged, "a message's", r.budget);
  out += judged_text(r.findings.looks_judged, "a command's", r.budget);
  out += "\nrecommended for a latency budget of " + text_of(r.budget) + ": engine " +
         to_string(r.findings.recommended.engine) + ", hold " +
         hold_column(r.findings.recommended.tuning) + ", look every " +
         grouped(r.findings.recommended.tuning.inbound_poll_rate) +
         " messages and at least every " +
         text_of(r.findings.recommended.tuning.max_command_delay) + '\n';
  if (r.changes.empty()) return out + "the configuration has all of it already\n";
  for (const config::NewValue& change : r.changes) {
    out += "  " + change.path + " = " + change.text + '\n';
  }
  return out;
}

std::string report_json(const Report& r) {
  const Findings& f = r.findings;
  Json out = {{"route", r.subject.route},
              {"workload",
               {{"rate", r.workload.rate},
                {"size", r.workload.size},
                {"publishers", r.workload.publishers},
                {"subscribers", r.workload.subscribers},
                {"burst", r.workload.burst},
                {"transport", r.workload.tcp ? "tcp" : "ipc"},
                {"notes", r.workload.notes}}},
              {"latency_budget", text_of(r.budget)},
              {"rounds", f.rounds},
              {"seconds", r.seconds},
              {"lateness_us", f.lateness_us},
              {"holds", Json::array()},
              {"looks", Json::array()}};
  for (const HoldRow& row : f.holds) {
    Json one = knobs_json(row.knobs);
    one["flood_messages_per_s"] = row.messages_per_s;
    one["cpu_ns_per_message"] = row.median.cpu_ns;
    one["calls_per_message"] = row.median.calls ? Json(*row.median.calls) : Json(nullptr);
    one["p50_us"] = row.median.p50_us;
    one["p99_us"] = row.median.p99_us;
    one["pareto"] = row.pareto;
    out["holds"].push_back(one);
  }
  for (const LookRow& row : f.looks) {
    Json one = knobs_json(row.knobs);
    one["flood_messages_per_s"] = row.median.messages_per_s;
    one["cpu_ns_per_message"] = row.median.cpu_ns;
    one["command_p50_us"] = row.median.command_p50_us;
    one["command_p99_us"] = row.median.command_p99_us;
    one["pareto"] = row.pareto;
    out["looks"].push_back(one);
  }
  out["recommended"] = knobs_json(f.recommended);
  for (const HoldRow& row : f.holds) {
    if (!same_hold(row.knobs, f.recommended)) continue;
    out["recommended"]["cpu_ns_per_message"] = row.median.cpu_ns;
    out["recommended"]["p99_us"] = row.median.p99_us;
  }
  if (const InFlood* flood = flood_of(f)) {
    out["recommended"]["flood_messages_per_s"] = flood->messages_per_s;
    out["recommended"]["command_p99_us"] = flood->command_p99_us;
  }
  out["judged"] = {{"holds", judged_word(f.holds_judged)}, {"looks", judged_word(f.looks_judged)}};
  out["changes"] = Json::object();
  for (const config::NewValue& change : r.changes) out["changes"][change.path] = change.text;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sluice::app::tune
