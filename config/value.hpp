// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/place.hpp"
#include "config/table.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::config {

/// Numbers, durations (ns), sizes (bytes), modes and booleans (0, 1) as integers; the rest as text.
using Scalar = std::variant<std::int64_t, std::string>;

/// A text that is no value of its setting; says the key, the text and what is allowed.
class BadValue : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// One value as it stands in a file, variable or flag. Throws BadValue. A list gives several.
[[nodiscard]] std::vector<Scalar> parse_value(const Setting& setting, std::string_view text);
/// The canonical text, which parses to the same value; quoted where it has to be.
[[nodiscard]] std::string format_value(const Setting& setting, const Scalar& value);

struct Item {
  Scalar value;
  Place place;
};

/// A setting with the values in force; several only where it is repeatable or a list.
struct Value {
  const Setting* setting = nullptr;
  std::vector<Item> items;

  /// True where nobody has set it.
  [[nodiscard]] bool is_default() const noexcept;
  [[nodiscard]] Place place() const;
  /// Canonical texts: one, or one for each item of a repeatable key; none where it is not set.
  [[nodiscard]] std::vector<std::string> texts() const;
};

/// A section with a value for each setting of its kind, in the table's order.
struct Section {
  Kind kind = Kind::route;
  std::string name;
  Place place;  ///< default where nobody wrote it
  std::vector<Value> values;

  [[nodiscard]] const Value& value(std::string_view key) const;
  /// "route.market", "control".
  [[nodiscard]] std::string path() const;
  /// "[route market]", "[control]".
  [[nodiscard]] std::string title() const;

  // The first item, or the type's zero.
  [[nodiscard]] std::int64_t number(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> strings(std::string_view key) const;
};

}  // namespace sluice::config
