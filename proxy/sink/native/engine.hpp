// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/environment.hpp"
#include "sink/sink.hpp"

#include <sluice/options.hpp>

#include <memory>

namespace sluice::sink {

/// The native engine: our own ZMTP publisher for bound tcp and ipc endpoints, without security.
/// Throws ConfigError for options that it cannot serve.
[[nodiscard]] std::unique_ptr<Sink> make_native_sink(const SinkOptions& options,
                                                     const Environment& environment);

}  // namespace sluice::sink
