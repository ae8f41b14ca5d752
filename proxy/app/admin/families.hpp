// SPDX-License-Identifier: Apache-2.0
// Internal: prometheus-cpp lives in this header and the files that include it.
#pragma once

#include "app/admin/metrics.hpp"

#include <initializer_list>
#include <prometheus/metric_family.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::app {

/// Builds metric families in the order in which they are named.
class Families {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  Families& counter(const char* name, const char* help) {
    return begin(name, help, prometheus::MetricType::Counter);
  }
  Families& gauge(const char* name, const char* help) {
    return begin(name, help, prometheus::MetricType::Gauge);
  }
  Families& histogram(const char* name, const char* help) {
    return begin(name, help, prometheus::MetricType::Histogram);
  }

  /// A value of the family begun last.
  void add(Labels labels, double value);
  void add(Labels labels, std::uint64_t value) { add(labels, static_cast<double>(value)); }
  void add(Labels labels, const TimeCounts& counts);

  /// Families without a value are left out.
  [[nodiscard]] std::vector<prometheus::MetricFamily> take();

 private:
  Families& begin(const char* name, const char* help, prometheus::MetricType type);
  prometheus::ClientMetric& metric(Labels labels);

  std::vector<prometheus::MetricFamily> m_families;
};

// Each adds the families of its subject.
void add_traffic(Families& families, const std::vector<RouteStatus>& routes);
void add_sinks(Families& families, const std::vector<RouteStatus>& routes);
void add_loops(Families& families, const std::vector<RouteStatus>& routes);
void add_settings(Families& families, const std::vector<config::Section>& sections);
void add_process(Families& families, const MetricsInput& input);

}  // namespace sluice::app
