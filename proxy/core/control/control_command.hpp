// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sluice::core {

enum class Verb : std::uint8_t {
  pause,
  resume,
  terminate,
  statistics,
  status,
  get,
  set,
  attach,
  detach,
  reload,
  drain,
  ping,
};

inline constexpr std::size_t k_verbs = 12;
/// A longer frame is not a command.
inline constexpr std::size_t k_max_command = 8192;

/// One command; the views point into the text it was parsed from.
struct Command {
  Verb verb;
  std::string_view first;   ///< route or key; empty where none was given
  std::string_view second;  ///< value or endpoint

  /// Whether it only asks: without an answer there is no point in carrying it out.
  [[nodiscard]] bool asks_only() const noexcept;
  /// PAUSE, RESUME, TERMINATE: an empty reply on REP and ROUTER, none on PAIR and DEALER.
  [[nodiscard]] bool is_classic() const noexcept;
};

/// Why a text is not a command.
struct Rejection {
  std::string word;  ///< what stood where a command should, printable
  std::string text;
};

/// Pure. `text` is one frame, exactly as it came: upper-case word, arguments after single spaces,
/// printable ASCII.
[[nodiscard]] std::variant<Command, Rejection> parse_command(std::string_view text);

/// "PAUSE", ...
[[nodiscard]] std::string_view to_string(Verb verb) noexcept;

/// At most `limit` bytes of `text` with everything that is not printable ASCII as \xNN, for logs.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 48);

}  // namespace sluice::core
