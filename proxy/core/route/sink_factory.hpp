// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/environment.hpp"
#include "sink/sink.hpp"

#include <memory>

namespace sluice::sink {

/// The engine that the options ask for; `automatic` is resolved: native where every endpoint is a
/// bound tcp or ipc one, else zmq. The options have been validated.
[[nodiscard]] std::unique_ptr<Sink> make_sink(const SinkOptions& options,
                                              const Environment& environment);

/// Whether the native engine can serve these endpoints.
[[nodiscard]] bool native_can(const SinkOptions& options) noexcept;

/// What `automatic` means for these options.
[[nodiscard]] Engine engine_of(const SinkOptions& options) noexcept;

}  // namespace sluice::sink
