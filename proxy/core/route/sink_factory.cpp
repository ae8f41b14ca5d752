// SPDX-License-Identifier: Apache-2.0
#include "core/route/sink_factory.hpp"

#include "core/endpoint/endpoint_name.hpp"
#include "sink/native/engine.hpp"
#include "sink/zmq/zmq_sink.hpp"

#include <algorithm>

namespace sluice::sink {

bool native_can(const SinkOptions& options) noexcept {
  return options.connect.empty() && options.curve.secret_key.empty() &&
         std::all_of(options.bind.begin(), options.bind.end(), [](const auto& endpoint) {
           const auto transport = core::transport_of(endpoint);
           return transport == core::Transport::ipc || transport == core::Transport::tcp;
         });
}

Engine engine_of(const SinkOptions& options) noexcept {
  if (options.engine != Engine::automatic) return options.engine;
  return native_can(options) ? Engine::native : Engine::zmq;
}

std::unique_ptr<Sink> make_sink(const SinkOptions& options, const Environment& environment) {
  if (engine_of(options) == Engine::native) return make_native_sink(options, environment);
  return std::make_unique<ZmqSink>(options, environment);
}

}  // namespace sluice::sink
