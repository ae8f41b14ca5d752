// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "syscalls/interposer_api.h"

namespace sluice::syscalls {

/// The interposer of this process, or null: built into the program or preloaded. Thread-safe.
[[nodiscard]] const sluice_interposer_v1* find_interposer();

}  // namespace sluice::syscalls
