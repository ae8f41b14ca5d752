// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/options.hpp>

namespace sluice::core {

/// Puts CURVE on a socket, before it binds or connects. Nothing without a secret key. Throws
/// std::runtime_error, which names the option and never the key.
void set_curve(void* socket, const CurveOptions& curve);

}  // namespace sluice::core
