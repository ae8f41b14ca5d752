// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/export.h>

namespace sluice {

/// "0.1.0".
SLUICE_EXPORT const char* version() noexcept;

}  // namespace sluice
