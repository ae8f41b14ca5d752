// SPDX-License-Identifier: Apache-2.0
#include "app/routes/route_words.hpp"

namespace sluice::app {

bool is_orderly(const std::string& reason) {
  return reason == "terminated" || reason == "drained";
}

std::string totals(const Route& route) {
  const Statistics s = route.statistics();
  std::string text = std::to_string(s.frontend.received_messages) + " messages (" +
                     std::to_string(s.frontend.received_bytes) + " bytes) received, " +
                     std::to_string(s.backend.sent_messages) + " (" +
                     std::to_string(s.backend.sent_bytes) + " bytes) sent";
  for (const SinkStatus& sink : route.status().sinks) {
    if (!sink.dropped_messages) continue;
    text += ", " + std::to_string(*sink.dropped_messages) + " dropped by sink " + sink.name;
  }
  return text;
}

std::string endpoints(const Route& route) {
  const RouteStatus status = route.status();
  std::string text = "route " + status.name + " [";
  for (const SourceStatus& source : status.sources) {
    text += "source " + source.name + ' ' + source.endpoint + ", ";
  }
  for (const SinkStatus& sink : status.sinks) {
    text += "sink " + sink.name;
    for (const std::string& endpoint : sink.endpoints) text += ' ' + endpoint;
    text += ", ";
  }
  if (text.back() == ' ') text.resize(text.size() - 2);
  return text + ']';
}

}  // namespace sluice::app
