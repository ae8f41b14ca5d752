// SPDX-License-Identifier: Apache-2.0
#include "core/zmq/curve.hpp"

#include "core/zmq/zmq_socket.hpp"

#include <zmq.h>

#include <array>
#include <stdexcept>
#include <string>

namespace sluice::core {
namespace {

void set_text(void* socket, int option, const std::string& value, const char* name) {
  if (zmq_setsockopt(socket, option, value.c_str(), value.size()) != 0) {
    throw std::runtime_error(std::string{"cannot set "} + name + ": " + zmq_strerror(errno));
  }
}

void set_key(void* socket, int option, const std::string& key, const char* name) {
  // With its terminating zero it is taken as Z85.
  if (key.size() != 40 || zmq_setsockopt(socket, option, key.c_str(), key.size() + 1) != 0) {
    throw std::runtime_error(std::string{"cannot set "} + name + ": not a key");
  }
}

}  // namespace

void set_curve(void* socket, const CurveOptions& curve) {
  if (curve.secret_key.empty()) return;
  if (curve.server_key.empty()) {
    set_option(socket, ZMQ_CURVE_SERVER, 1, "ZMQ_CURVE_SERVER");
    if (!curve.zap_domain.empty()) {
      set_text(socket, ZMQ_ZAP_DOMAIN, curve.zap_domain, "ZMQ_ZAP_DOMAIN");
    }
  } else {
    std::array<char, 41> own{};
    if (zmq_curve_public(own.data(), curve.secret_key.c_str()) != 0) {
      throw std::runtime_error("cannot set ZMQ_CURVE_PUBLICKEY: not a key, or no CURVE in libzmq");
    }
    set_key(socket, ZMQ_CURVE_PUBLICKEY, own.data(), "ZMQ_CURVE_PUBLICKEY");
    set_key(socket, ZMQ_CURVE_SERVERKEY, curve.server_key, "ZMQ_CURVE_SERVERKEY");
  }
  set_key(socket, ZMQ_CURVE_SECRETKEY, curve.secret_key, "ZMQ_CURVE_SECRETKEY");
}

}  // namespace sluice::core
