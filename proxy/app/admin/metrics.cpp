// SPDX-License-Identifier: Apache-2.0
#include "app/admin/metrics.hpp"

#include "app/admin/families.hpp"

#include <algorithm>
#include <limits>
#include <prometheus/text_serializer.h>

namespace sluice::app {
namespace {

constexpr double k_nanosecond = 1e-9;

}  // namespace

Families& Families::begin(const char* name, const char* help, prometheus::MetricType type) {
  prometheus::MetricFamily& family = m_families.emplace_back();
  family.name = name;
  family.help = help;
  family.type = type;
  return *this;
}

prometheus::ClientMetric& Families::metric(Labels labels) {
  prometheus::ClientMetric& metric = m_families.back().metric.emplace_back();
  for (const auto& [name, value] : labels) {
    metric.label.push_back({std::string(name), std::string(value)});
  }
  return metric;
}

void Families::add(Labels labels, double value) {
  prometheus::ClientMetric& made = metric(labels);
  if (m_families.back().type == prometheus::MetricType::Counter) {
    made.counter.value = value;
  } else {
    made.gauge.value = value;
  }
}

void Families::add(Labels labels, const TimeCounts& counts) {
  prometheus::ClientMetric::Histogram& made = metric(labels).histogram;
  double bound = 1e-6;
  for (std::size_t i = 0; i < counts.by_bucket.size(); ++i, bound *= 2) {
    made.sample_count += counts.by_bucket[i];
    const bool last = i + 1 == counts.by_bucket.size();
    made.bucket.push_back(
        {made.sample_count, last ? std::numeric_limits<double>::infinity() : bound});
  }
  made.sample_sum = static_cast<double>(counts.sum_ns) * k_nanosecond;
}

std::vector<prometheus::MetricFamily> Families::take() {
  std::erase_if(m_families, [](const auto& family) { return family.metric.empty(); });
  return std::move(m_families);
}

std::string metrics_text(const MetricsInput& input) {
  Families families;
  families.gauge("sluice_build_info", "1, with what this is as labels")
      .add({{"version", input.version}, {"revision", input.revision}, {"libzmq", input.libzmq}},
           1.0);
  add_traffic(families, input.routes);
  add_sinks(families, input.routes);
  add_loops(families, input.routes);
  add_process(families, input);
  return prometheus::TextSerializer().Serialize(families.take()) + input.settings;
}

std::string setting_metrics_text(const std::vector<config::Section>& sections) {
  Families families;
  add_settings(families, sections);
  return prometheus::TextSerializer().Serialize(families.take());
}

}  // namespace sluice::app
