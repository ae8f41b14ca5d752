// SPDX-License-Identifier: Apache-2.0
#include "config/units.hpp"

#include "config/value.hpp"

#include <array>
#include <limits>
#include <span>
#include <utility>

namespace sluice::config {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::int64_t k_kib = 1'024;
constexpr auto k_count_units = std::to_array<Unit>(
    {{"", 1}, {"k", 1'000}, {"K", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}});
constexpr auto k_duration_units = std::to_array<Unit>({{"ns", 1},
                                                       {"us", 1'000},
                                                       {"ms", 1'000'000},
                                                       {"s", 1'000'000'000},
                                                       {"m", 60'000'000'000},
                                                       {"min", 60'000'000'000},
                                                       {"h", 3'600'000'000'000}});
constexpr auto k_size_units = std::to_array<Unit>({{"", 1},
                                                   {"B", 1},
                                                   {"k", k_kib},
                                                   {"K", k_kib},
                                                   {"KiB", k_kib},
                                                   {"M", k_kib* k_kib},
                                                   {"MiB", k_kib* k_kib},
                                                   {"G", k_kib* k_kib* k_kib},
                                                   {"GiB", k_kib* k_kib* k_kib},
                                                   {"kB", 1'000},
                                                   {"KB", 1'000},
                                                   {"MB", 1'000'000},
                                                   {"GB", 1'000'000'000}});

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool multiply(std::int64_t& value, std::int64_t factor) noexcept {
  return !__builtin_mul_overflow(value, factor, &value);
}

struct Number {
  std::int64_t digits = 0;  // without the point
  std::int64_t scale = 1;   // digits / scale is the number
  std::string_view unit;
};

// Takes [0-9]+(.[0-9]+)? and leaves the rest as the unit.
Number parse_number(std::string_view text) {
  Number number;
  std::size_t i = 0;
  bool point = false;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !point && i > 0) {
      point = true;
      continue;
    }
    if (!is_digit(text[i])) break;
    if (!multiply(number.digits, 10) ||
        __builtin_add_overflow(number.digits, text[i] - '0', &number.digits) ||
        (point && !multiply(number.scale, 10))) {
      throw BadValue("too large");
    }
  }
  if (i == 0) throw BadValue("not a number");
  if (text[i - 1] == '.') throw BadValue("digits are missing behind the point");
  number.unit = text.substr(i);
  while (number.unit.starts_with(' ')) number.unit.remove_prefix(1);
  return number;
}

std::int64_t scaled(const Number& number, std::int64_t factor) {
  std::int64_t value = number.digits;
  if (!multiply(value, factor)) throw BadValue("too large");
  if (value % number.scale != 0) throw BadValue("not a whole number of the smallest unit");
  return value / number.scale;
}

std::int64_t parse_with(std::string_view text, std::span<const Unit> units,
                        std::string_view examples) {
  const Number number = parse_number(text);
  for (const Unit& unit : units) {
    if (unit.name == number.unit) return scaled(number, unit.factor);
  }
  throw BadValue("has no unit that is known here (as in " + std::string(examples) + ")");
}

std::string format_with(std::int64_t value, std::span<const Unit> units) {
  const Unit* best = nullptr;
  for (const Unit& unit : units) {
    if (value % unit.factor == 0 && (best == nullptr || unit.factor > best->factor)) best = &unit;
  }
  return std::to_string(value / best->factor) + std::string(best->name);
}

}  // namespace

std::int64_t parse_count(std::string_view text) {
  return parse_with(text, k_count_units, "1000, 10k, 1M");
}

std::int64_t parse_duration(std::string_view text) {
  const Number number = parse_number(text);
  if (number.unit.empty()) {
    if (number.digits == 0) return 0;
    throw BadValue("needs a unit, as in 500us, 1ms, 2s");
  }
  return parse_with(text, k_duration_units, "500us, 1ms, 2s");
}

std::int64_t parse_size(std::string_view text) {
  return parse_with(text, k_size_units, "100, 64k, 8MiB");
}

std::int64_t parse_mode(std::string_view text) {
  std::int64_t mode = 0;
  if (text.empty() || text.size() > 6) throw BadValue("not octal permissions, as in 0660");
  for (const char c : text) {
    if (c < '0' || c > '7') throw BadValue("not octal permissions, as in 0660");
    mode = mode * 8 + (c - '0');
  }
  return mode;
}

std::int64_t parse_boolean(std::string_view text) {
  for (const std::string_view yes : {"yes", "true", "on", "1"}) {
    if (text == yes) return 1;
  }
  for (const std::string_view no : {"no", "false", "off", "0"}) {
    if (text == no) return 0;
  }
  throw BadValue("not a switch");
}

std::string format_duration(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0";
  return format_with(nanoseconds, std::span(k_duration_units).first(4));
}

std::string format_size(std::int64_t bytes) {
  if (bytes == 0) return "0";
  constexpr auto k_shown = std::to_array<Unit>(
      {{"", 1}, {"KiB", k_kib}, {"MiB", k_kib * k_kib}, {"GiB", k_kib * k_kib * k_kib}});
  return format_with(bytes, k_shown);
}

std::string format_mode(std::int64_t mode) {
  std::string text;
  for (int shift = 9; shift >= 0; shift -= 3) {
    text += static_cast<char>('0' + ((mode >> shift) & 7));
  }
  return text;
}

}  // namespace sluice::config
