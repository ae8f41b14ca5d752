// SPDX-License-Identifier: Apache-2.0
#include "families/family.hpp"

namespace sluice::bench {

namespace {

constexpr std::size_t k_size = k_header_size;  // 24 bytes
constexpr std::size_t k_zmtp_message = k_size + 2;
constexpr std::uint64_t k_paced_rate = 10'000;

/// How messages become writes.
struct Setting {
  std::string variant;
  std::string text;
  PathOptions path;
};

Setting with_nagle(Setting setting, bool nagle) {
  setting.path.nodelay = !nagle;
  setting.path.plain.nodelay = !nagle;
  setting.text += nagle ? "/nagle:1" : "/nagle:0";
  return setting;
}

Case load_case(const Flags& flags, const Setting& setting, bool paced) {
  Setup setup;
  setup.variant = setting.variant;
  setup.path = setting.path;
  setup.path.sources = paced && setting.variant != "wire" ? 4 : 1;
  setup.load.kind = paced ? Load::Kind::paced : Load::Kind::flood;
  setup.load.rate = 4 * k_paced_rate / setup.path.sources;
  setup.load.size = k_size;
  setup.load.duration = flags.duration();
  setup.receiver.kind = flags.receiver;
  setup.receiver.subscribers = 1;
  const auto name =
      "batching/" + setting.variant + (paced ? "/paced/rate:40000" : "/flood") + setting.text;
  return {name, [flags, setup](benchmark::State& state) { run_load(state, flags, setup); }};
}

/// Plain sockets: what a writer without a buffer does, and one with.
std::vector<Setting> wire_settings(const Flags& flags) {
  std::vector<Setting> settings;
  const Setting base{"wire", "", flags.path_options()};
  for (const bool nagle : {false, true}) {
    Setting fields = base;
    fields.path.plain.fields = true;
    fields.text = "/write:fields";
    settings.push_back(with_nagle(fields, nagle));
    Setting message = base;
    message.text = "/write:message";
    settings.push_back(with_nagle(message, nagle));
  }
  return settings;
}

std::vector<Setting> wire_batches(const Flags& flags) {
  std::vector<Setting> settings;
  for (const bool nagle : {false, true}) {
    for (const std::size_t batch : {256U, 1024U, 8192U, 65536U}) {
      Setting setting{"wire", "/write:" + std::to_string(batch), flags.path_options()};
      setting.path.plain.batch = batch;
      settings.push_back(with_nagle(setting, nagle));
    }
  }
  return settings;
}

std::vector<Setting> native_batches(const Flags& flags) {
  std::vector<Setting> settings;
  for (const bool nagle : {false, true}) {
    for (const std::size_t batch :
         {k_zmtp_message, std::size_t{256}, std::size_t{1024}, std::size_t{8192},
          std::size_t{65'536}, std::size_t{1} << 20U}) {
      Setting setting{"native", "/out_batch:" + std::to_string(batch), flags.path_options()};
      setting.path.out_batch = batch;
      settings.push_back(with_nagle(setting, nagle));
    }
  }
  return settings;
}

std::vector<Setting> holds(const Flags& flags, const std::string& variant) {
  std::vector<Setting> settings;
  for (const int hold_us : {0, 100, 300, 1000, 3000}) {
    Setting setting{variant, "/hold_us:" + std::to_string(hold_us), flags.path_options()};
    setting.path.hold = std::chrono::microseconds(hold_us);
    settings.push_back(setting);
  }
  return settings;
}

}  // namespace

std::vector<Case> batching_cases(const Flags& flags) {
  std::vector<Case> cases;
  const auto add = [&](const std::vector<Setting>& settings, bool paced) {
    for (const auto& setting : settings) cases.push_back(load_case(flags, setting, paced));
  };
  // What can be sent at most ...
  add(wire_settings(flags), false);
  add(wire_batches(flags), false);
  add({{"stock", "", flags.path_options()}, {"zmq", "", flags.path_options()}}, false);
  add(native_batches(flags), false);
  // ... and what a message waits at a rate that is far from it.
  add(wire_settings(flags), true);
  add({{"stock", "", flags.path_options()}}, true);
  add(holds(flags, "zmq"), true);
  add(holds(flags, "native"), true);
  add({with_nagle({"native", "/hold_us:0", flags.path_options()}, true)}, true);
  return cases;
}

}  // namespace sluice::bench
