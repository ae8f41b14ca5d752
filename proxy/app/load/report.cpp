// SPDX-License-Identifier: Apache-2.0
#include "app/load/report.hpp"

#include "app/terminal/text_table.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace sluice::app::load {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<const char*, double>, 5> k_quantiles{
    {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}, {"max", 1.0}}};

double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

std::string microseconds(double ns) {
  return fixed(ns / 1'000, ns < 100'000 ? 1 : 0) + " us";
}

std::string quantiles(const measure::Histogram& h) {
  std::string out;
  for (const auto& [name, q] : k_quantiles) {
    const std::string label = std::string(name) == "p999" ? "p99.9" : name;
    out += (out.empty() ? "" : "  ") + label + ' ' + microseconds(h.quantile_ns(q));
  }
  return out;
}

std::string plural(std::uint64_t n, const char* what) {
  return grouped(n) + ' ' + what + (n == 1 ? "" : "s");
}

Json quantiles_json(const measure::Histogram& h) {
  if (h.total() == 0) return nullptr;
  Json out = Json::object();
  for (const auto& [name, q] : k_quantiles) out[name] = h.quantile_ns(q) / 1'000;
  return out;
}

Json as_json(const Options& o, const Result& r) {
  Json out = Json::object();
  if (!o.publish.empty()) {
    out["publishers"] = o.publishers;
    out["rate"] = o.rate;
    out["size"] = o.size;
    out["frames"] = o.frames;
    out["sent_messages"] = r.sent;
    out["unsent_messages"] = r.unsent;
    out["send_seconds"] = r.send_seconds;
    out["sent_per_s"] = per_second(r.sent, r.send_seconds);
    out["lateness_us"] = quantiles_json(r.lateness);
  }
  if (!o.subscribe.empty()) {
    out["subscribers"] = o.subscribers;
    out["received_messages"] = r.received;
    out["received_bytes"] = r.received_bytes;
    out["expected_messages"] = r.expected ? Json(*r.expected) : Json(nullptr);
    out["fewest_received"] = r.fewest;
    out["receive_seconds"] = r.receive_seconds;
    out["received_per_s"] = per_second(r.received, r.receive_seconds);
    out["lost_messages"] = r.lost;
    out["out_of_order_messages"] = r.disorder;
    out["foreign_messages"] = r.foreign;
    out["latency_us"] = quantiles_json(r.latency);
  }
  out["interrupted"] = r.interrupted;
  return out;
}

}  // namespace

std::string report_text(const Options& o, const Result& r) {
  std::string out;
  if (!o.publish.empty()) {
    const double rate = per_second(r.sent, r.send_seconds);
    out += "published     " + grouped(r.sent) + " messages by " +
           plural(o.publishers, "publisher") + " in " + fixed(r.send_seconds, 2) +
           " s: " + grouped(static_cast<std::uint64_t>(rate)) + " msg/s\n";
    if (r.unsent > 0) {
      out += "not sent      " + grouped(r.unsent) +
             " that were due when the time was over: the path or this machine is too slow for "
             "the rate\n";
    }
    if (r.lateness.total() > 0) out += "sent late by  " + quantiles(r.lateness) + '\n';
  }
  if (!o.subscribe.empty()) {
    const double rate = per_second(r.received, r.receive_seconds);
    out += "received      " + grouped(r.received) + " messages by " +
           plural(o.subscribers, "subscriber") + " in " + fixed(r.receive_seconds, 2) +
           " s: " + grouped(static_cast<std::uint64_t>(rate)) + " msg/s, " +
           fixed(per_second(r.received_bytes, r.receive_seconds) / 1e6, 1) + " MB/s\n";
    out += "lost          " + grouped(r.lost) + ", out of order " + grouped(r.disorder);
    if (r.foreign > 0) out += ", not ours " + grouped(r.foreign);
    if (!r.expected) out += " (in what was received: the publishers' totals are not known here)";
    out += '\n';
    if (r.latency.total() > 0) {
      out += "latency       " + quantiles(r.latency) +
             (o.publish.empty() || o.rate > 0 ? "" : "  (of a flood: queueing)") + '\n';
    }
  }
  if (r.interrupted) out += "ended early\n";
  return out;
}

std::string report_json(const Options& options, const Result& result) {
  return as_json(options, result).dump(2) + '\n';
}

std::string report_csv(const Options& options, const Result& result) {
  std::string header;
  std::string row;
  const auto add = [&](const std::string& name, const Json& value) {
    header += (header.empty() ? "" : ",") + name;
    row += (row.empty() ? "" : ",") + (value.is_null() ? std::string{} : value.dump());
  };
  const Json report = as_json(options, result);
  for (const auto& [name, value] : report.items()) {
    if (name.ends_with("_us")) {
      for (const auto& [quantile, q] : k_quantiles) {
        static_cast<void>(q);
        add(name.substr(0, name.size() - 2) + quantile + "_us",
            value.is_null() ? Json(nullptr) : value.at(quantile));
      }
    } else {
      add(name, value);
    }
  }
  return header + '\n' + row + '\n';
}

}  // namespace sluice::app::load
