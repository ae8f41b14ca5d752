// SPDX-License-Identifier: Apache-2.0
#include "compat/knobs.hpp"

#include "core/route/options_check.hpp"

#include <sluice/error.hpp>

#include <charconv>
#include <cstdint>
#include <initializer_list>

namespace sluice::compat {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

// A whole number and a unit, within 62 bits.
std::optional<std::uint64_t> parse(std::string_view text, std::initializer_list<Unit> units) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stopped == text.data()) return {};
  const std::string_view unit{stopped, static_cast<std::size_t>(end - stopped)};
  for (const Unit& u : units) {
    std::uint64_t product = 0;
    if (u.name != unit) continue;
    if (__builtin_mul_overflow(number, u.factor, &product) || product >> 62U != 0) return {};
    return product;
  }
  return {};
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  return parse(text, {{"", 1}, {"k", 1'000}, {"K", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}});
}

std::optional<std::uint64_t> parse_duration(std::string_view text) {
  if (text == "0") return 0;
  return parse(text, {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}});
}

std::string format(std::chrono::nanoseconds duration) {
  auto n = duration.count();
  if (n == 0) return "0";
  for (const char* unit : {"ns", "us", "ms"}) {
    if (n % 1'000 != 0) return std::to_string(n) + unit;
    n /= 1'000;
  }
  return std::to_string(n) + "s";
}

}  // namespace

std::optional<std::string> set_knob(Tuning& tuning, std::string_view key, std::string_view value) {
  Tuning changed = tuning;
  const auto bad = [&](const char* expected) {
    return std::string{key} + ": \"" + std::string{value} + "\" is not " + expected;
  };
  if (key == "inbound_poll_rate") {
    const auto count = parse_count(value);
    if (!count || *count > UINT32_MAX) return bad("a number of messages, 1 to 1G");
    changed.inbound_poll_rate = static_cast<std::uint32_t>(*count);
  } else if (key == "max_command_delay" || key == "coalesce_delay") {
    const auto delay = parse_duration(value);
    if (!delay) return bad("a time, like 500us or 1ms");
    auto& knob = key == "coalesce_delay" ? changed.coalesce_delay : changed.max_command_delay;
    knob = std::chrono::nanoseconds{*delay};
  } else {
    return "no key " + std::string{key} +
           " here: inbound_poll_rate, max_command_delay or coalesce_delay";
  }
  try {
    core::check(changed);
  } catch (const ConfigError& e) {
    return e.what();
  }
  tuning = changed;
  return {};
}

std::optional<std::string> get_knob(const Tuning& tuning, std::string_view key) {
  if (key == "inbound_poll_rate") return std::to_string(tuning.inbound_poll_rate);
  if (key == "max_command_delay") return format(tuning.max_command_delay);
  if (key == "coalesce_delay") return format(tuning.coalesce_delay);
  return {};
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  return parse(text,
               {{"", 1}, {"B", 1}, {"k", 1'024}, {"K", 1'024}, {"KiB", 1'024}, {"kB", 1'000}});
}

}  // namespace sluice::compat
