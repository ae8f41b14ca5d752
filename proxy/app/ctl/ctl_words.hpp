// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/command/commands.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sluice::app {

/// One of the things that `sluice ctl` can be told: the source of its checks and of its help.
struct CtlWord {
  std::string_view name;
  std::string_view command;  ///< as the control protocol has it
  std::string_view takes;    ///< its arguments, as the help writes them
  std::size_t least;
  std::size_t most;
  std::string_view said;  ///< where the answer is empty
  std::string_view summary;
  std::string_view details;
  std::string_view examples;
  std::span<const std::string_view> options;  ///< those of `ctl` that only some words take
};

/// Throws UsageError with the nearest known one.
[[nodiscard]] const CtlWord& find_ctl_word(const std::string& name);
/// What is sent. Throws UsageError when the number of arguments is wrong.
[[nodiscard]] std::string ctl_command_text(const CtlWord& word, const Words& words);

/// A line for each word.
[[nodiscard]] std::string ctl_words_help();
/// The help of one; `all` are the options of `ctl`. Throws UsageError.
[[nodiscard]] std::string ctl_word_help(const std::string& name, std::span<const OptionSpec> all);

}  // namespace sluice::app
