// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace sluice::app::manual {

// What is installed beside the program, made from the tables that the program itself reads.

[[nodiscard]] std::string command_page();   ///< sluice(1), from the subcommands
[[nodiscard]] std::string settings_page();  ///< sluice.conf(5), from the settings table
/// sluice-bench(1); `help` is what `sluice-bench --help` prints.
[[nodiscard]] std::string bench_page(const std::string& help);
[[nodiscard]] std::string bash_completion();

}  // namespace sluice::app::manual
