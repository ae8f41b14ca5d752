// SPDX-License-Identifier: Apache-2.0
#include "app/ctl/ctl_endpoint.hpp"

#include "config/keyfile.hpp"
#include "config/load.hpp"

#include <zmq.h>

#include <array>
#include <unistd.h>
#include <variant>

namespace sluice::app {
namespace {

ControlTarget from_file(const std::string& path) {
  config::Sources sources;
  sources.path = path;
  sources.env = config::process_environment();
  const config::LoadResult result = config::load(sources);
  if (const auto* errors = std::get_if<config::Errors>(&result)) {
    throw Unreachable("no control endpoint: " + errors->front().to_string());
  }
  const auto& config = std::get<config::LoadedConfig>(result);
  if (!config.control || config.control->bind.empty()) {
    throw Unreachable("no control endpoint: " + path + " has no [control] with a bind");
  }
  ControlTarget target{connectable(config.control->bind.front()), config.control->type};
  const std::string& secret = config.control->curve.secret_key;
  std::array<char, 41> key{};
  if (!secret.empty() && zmq_curve_public(key.data(), secret.c_str()) == 0) {
    target.curve.server_key = key.data();
  }
  return target;
}

}  // namespace

void use_curve(ControlTarget& target, const std::optional<std::string>& secret_file,
               const std::optional<std::string>& server_key_file) {
  try {
    if (secret_file) target.curve.secret_key = config::read_secret_key(*secret_file);
    if (server_key_file) target.curve.server_key = config::read_public_key(*server_key_file);
  } catch (const config::BadKeyFile& bad) {
    throw Unreachable(bad.what());
  }
  if (target.curve.secret_key.empty() == target.curve.server_key.empty()) return;
  throw Unreachable(target.endpoint + ": CURVE needs " +
                    (target.curve.secret_key.empty() ? "--secret FILE, our key"
                                                     : "--server-key FILE, the sidecar's key"));
}

std::string connectable(const std::string& bound) {
  for (const std::string any : {"tcp://*:", "tcp://0.0.0.0:"}) {
    if (bound.rfind(any, 0) == 0) return "tcp://127.0.0.1:" + bound.substr(any.size());
  }
  const std::string any6 = "tcp://[::]:";
  if (bound.rfind(any6, 0) == 0) return "tcp://[::1]:" + bound.substr(any6.size());
  return bound;
}

ControlTarget find_control(const std::optional<std::string>& endpoint, const char* environment,
                           const std::optional<std::string>& file, const std::string& fallback) {
  if (endpoint) return {*endpoint};
  if (environment != nullptr && *environment != '\0') return {environment};
  if (file) return from_file(*file);
  if (::access(fallback.c_str(), R_OK) == 0) return from_file(fallback);
  throw Unreachable(
      "no control endpoint: give -e ENDPOINT, the variable SLUICE_CONTROL, or -c FILE; " +
      fallback + " is not there");
}

}  // namespace sluice::app
