// SPDX-License-Identifier: Apache-2.0
#include "sink/factory.hpp"

#include "sink/native/engine.hpp"
#include "sink/zmq/zmq_sink.hpp"

namespace sluice::sink {

Engine engine_of(const SinkOptions& options) noexcept {
  return options.engine == Engine::automatic ? Engine::zmq : options.engine;
}

std::unique_ptr<Sink> make_sink(const SinkOptions& options, const Environment& environment) {
  if (engine_of(options) == Engine::native) return make_native_sink(options, environment);
  return std::make_unique<ZmqSink>(options, environment);
}

}  // namespace sluice::sink
