// SPDX-License-Identifier: Apache-2.0
#include "config/table.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace sluice::config {
namespace {

constexpr auto k_kinds =
    std::to_array<Kind>({Kind::route, Kind::source, Kind::generator, Kind::plugin, Kind::sink,
                         Kind::tap, Kind::control, Kind::admin, Kind::log, Kind::process});
constexpr auto k_kind_names =
    std::to_array<std::string_view>({"route", "source", "generator", "plugin", "sink", "tap",
                                     "control", "admin", "log", "process"});

}  // namespace

std::span<const Setting> settings(Kind kind) noexcept {
  const std::span<const Setting> all = settings();
  const auto first =
      std::find_if(all.begin(), all.end(), [kind](const Setting& s) { return s.kind == kind; });
  const auto last =
      std::find_if(first, all.end(), [kind](const Setting& s) { return s.kind != kind; });
  return {first, last};
}

const Setting* find_setting(Kind kind, std::string_view key) noexcept {
  for (const Setting& setting : settings(kind)) {
    if (setting.key == key) return &setting;
  }
  return nullptr;
}

std::span<const Kind> kinds() noexcept {
  return k_kinds;
}

std::string_view to_string(Kind kind) noexcept {
  return k_kind_names[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Type type) noexcept {
  switch (type) {
    case Type::count:
      return "count";
    case Type::duration:
      return "duration";
    case Type::size:
      return "size";
    case Type::boolean:
      return "switch";
    case Type::choice:
      return "one of";
    case Type::text:
      return "text";
    case Type::topic:
      return "topic";
    case Type::list:
      return "list";
    case Type::route:
      return "route";
    case Type::endpoint:
      return "endpoint";
    case Type::path:
      return "path";
    case Type::mode:
      return "mode";
  }
  return "";
}

std::string_view to_string(Change change) noexcept {
  switch (change) {
    case Change::live:
      return "live";
    case Change::reload:
      return "reload";
    case Change::recreate:
      return "recreate";
    case Change::restart:
      return "restart";
  }
  return "";
}

const Kind* find_kind(std::string_view word) noexcept {
  const auto found = std::find(k_kind_names.begin(), k_kind_names.end(), word);
  if (found == k_kind_names.end()) return nullptr;
  return &k_kinds[static_cast<std::size_t>(std::distance(k_kind_names.begin(), found))];
}

bool is_single(Kind kind) noexcept {
  return kind == Kind::control || kind == Kind::admin || kind == Kind::log || kind == Kind::process;
}

}  // namespace sluice::config
