// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

/// The kinds of section, in the order in which they are shown.
enum class Kind : std::uint8_t {
  route,
  source,
  generator,
  plugin,
  sink,
  tap,
  control,
  admin,
  log,
  process
};

enum class Type : std::uint8_t {
  count,     ///< 10k, 1M
  duration,  ///< 500us, 1ms, 2s, 0; held in nanoseconds
  size,      ///< 64k, 8MiB; held in bytes
  boolean,   ///< yes, no
  choice,    ///< one of `choices`
  text,      ///< anything; quotes where needed
  topic,     ///< a byte string; quotes and \xHH where needed
  list,      ///< topics with commas between them
  route,     ///< the name of a route
  endpoint,  ///< tcp://host:port or ipc://path
  path,      ///< a file
  mode,      ///< octal permissions
};

/// What a new value needs.
enum class Change : std::uint8_t {
  live,      ///< SET and reload change it in place
  reload,    ///< reload changes it in place
  recreate,  ///< reload closes and re-creates the object of that section
  restart,   ///< refused by reload
};

/// One key. The parser, environment names, help, show, SET, the manual and reload all read this.
struct Setting {
  Kind kind = Kind::route;
  std::string_view key{};
  Type type = Type::text;
  std::string_view standard{};  ///< the default as text; empty = none
  std::int64_t min = 0;         ///< numbers only, in the unit that is held
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  std::int64_t step = 1;    ///< durations: the finest that is kept, in nanoseconds
  std::string_view word{};  ///< a word for the value `word_value`, as "unlimited"
  std::int64_t word_value = 0;
  std::string_view choices{};  ///< separated by spaces
  bool repeatable = false;
  bool native_only = false;  ///< nothing that a zmq sink can do
  bool secret = false;       ///< never shown
  Change change = Change::recreate;
  std::string_view help{};  ///< one line
};

/// Every setting, grouped by kind. Static storage: pointers into it stay valid.
[[nodiscard]] std::span<const Setting> settings() noexcept;
/// The settings of one kind.
[[nodiscard]] std::span<const Setting> settings(Kind kind) noexcept;
/// Null where there is none.
[[nodiscard]] const Setting* find_setting(Kind kind, std::string_view key) noexcept;

[[nodiscard]] std::span<const Kind> kinds() noexcept;
[[nodiscard]] std::string_view to_string(Kind kind) noexcept;
[[nodiscard]] std::string_view to_string(Type type) noexcept;
[[nodiscard]] std::string_view to_string(Change change) noexcept;
/// Null where the word is no kind.
[[nodiscard]] const Kind* find_kind(std::string_view word) noexcept;
/// control, admin, log and process come once and have no name.
[[nodiscard]] bool is_single(Kind kind) noexcept;
/// "1 to 1000000000", "0 to 100ms or unlimited", "drop, block or disconnect": what is allowed.
[[nodiscard]] std::string range_text(const Setting& setting);
/// The choices of a setting as words.
[[nodiscard]] std::vector<std::string_view> choices(const Setting& setting);

}  // namespace sluice::config
