// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::app {

/// What the program tells the shell.
enum class ExitCode : int {
  done = 0,
  failure = 1,       ///< at run time; the reason is on stderr
  usage = 64,        ///< the command line
  unreachable = 69,  ///< the control endpoint does not answer
  configuration = 78,
};

}  // namespace sluice::app
