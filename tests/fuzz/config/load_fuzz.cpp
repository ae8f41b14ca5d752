// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file, a variable, a flag and a SET: errors are fine, and what loads must come out
// of `show` as the same again.
#include "config/config.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace sluice::config;

void check_shown(const LoadedConfig& config) {
  Sources again;
  again.path = "shown";
  again.text = show(config);
  again.use_text = true;
  again.directory = "/run/t";
  const LoadResult result = load(again);
  const auto* second = std::get_if<LoadedConfig>(&result);
  if (second == nullptr || !diff(config, *second).empty()) std::abort();
}

// The first two lines are a variable's and a flag's texts when they begin with $ and !.
std::string_view take_line(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return {};
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(1, end - 1);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Sources sources;
  sources.path = "fuzz.ini";
  sources.use_text = true;
  sources.directory = "/run/t";
  const std::string_view variable = take_line(text, '$');
  const std::string_view flag = take_line(text, '!');
  const std::size_t equals = std::min(variable.find('='), variable.size());
  if (!variable.empty()) {
    sources.env.emplace_back("SLUICE_" + std::string(variable.substr(0, equals)),
                             variable.substr(std::min(equals + 1, variable.size())));
  }
  if (!flag.empty()) sources.sets.emplace_back(flag);
  sources.text = text;
  const LoadResult result = load(sources);
  if (const auto* errors = std::get_if<Errors>(&result)) {
    if (errors->empty()) std::abort();
    for (const Error& error : *errors) static_cast<void>(error.to_string());
    return 0;
  }
  const auto& config = std::get<LoadedConfig>(result);
  check_shown(config);
  const std::size_t at = std::min(flag.find('='), flag.size());
  static_cast<void>(
      with_value(config, flag.substr(0, at), flag.substr(std::min(at + 1, flag.size()))));
  return 0;
}
