// SPDX-License-Identifier: Apache-2.0
#include "compat/preload/environment.hpp"

#include "compat/knobs.hpp"

#include <string_view>

namespace sluice::compat {
namespace {

constexpr std::uint64_t k_topic_limit = 8192;

struct Knob {
  const char* variable;
  const char* key;
};

constexpr Knob k_knobs[] = {
    {"SLUICE_INBOUND_POLL_RATE", "inbound_poll_rate"},
    {"SLUICE_MAX_COMMAND_DELAY", "max_command_delay"},
    {"SLUICE_COALESCE_DELAY", "coalesce_delay"},
};

}  // namespace

PreloadSettings read_preload_settings(const std::function<const char*(const char*)>& get) {
  PreloadSettings settings;
  CallOptions& options = settings.options;
  const auto complain = [&](const char* variable, const std::string& text) {
    settings.complaints.push_back(std::string{variable} + " is ignored: " + text);
  };
  for (const Knob& knob : k_knobs) {
    const char* const value = get(knob.variable);
    if (value == nullptr) continue;
    if (const auto problem = set_knob(options.tuning, knob.key, value)) {
      complain(knob.variable, *problem);
    }
  }
  if (const char* const value = get("SLUICE_MAX_TOPIC")) {
    const auto bytes = parse_bytes(value);
    if (bytes && *bytes >= 1 && *bytes <= k_topic_limit) {
      options.max_topic = *bytes;
    } else {
      complain("SLUICE_MAX_TOPIC", "\"" + std::string{value} + "\" is not 1 to 8192 bytes");
    }
  }
  if (const char* const value = get("SLUICE_ON_SIGNAL")) {
    const std::string_view text{value};
    options.continue_on_signal = text == "continue";
    if (text != "continue" && text != "return") {
      complain("SLUICE_ON_SIGNAL", "\"" + std::string{value} + "\" is not continue or return");
    }
  }
  return settings;
}

}  // namespace sluice::compat
