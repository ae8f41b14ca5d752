// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/loaded.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::config {

enum class Effect : std::uint8_t {
  live,      ///< takes effect in place
  recreate,  ///< the section's object has to be closed and made again
  added,     ///< the section is new
  removed,   ///< the section is gone
  restart,   ///< cannot change while the process runs: the reload is refused
};

/// One difference between the settings in force and new ones.
struct Difference {
  std::string path;       ///< "route.market.linger"; a section's own path when added or removed
  std::string section;    ///< "route.market"
  std::string old_value;  ///< canonical; secrets as "(secret)"
  std::string new_value;
  Place place;  ///< of the new value
  Effect effect = Effect::live;

  /// "sluice.ini:12: process.io_threads: 1 -> 2 needs a restart".
  [[nodiscard]] std::string to_string() const;
};

/// In the order of the new file; empty when nothing differs. Origins are not compared.
[[nodiscard]] std::vector<Difference> diff(const LoadedConfig& before, const LoadedConfig& after);

}  // namespace sluice::config
