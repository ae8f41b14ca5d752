// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::core {

/// What became of an order that came in over a control socket.
struct Outcome {
  bool carried_out = true;
  std::string text;  ///< what follows "OK " or "ERR <command> "

  [[nodiscard]] bool ok() const noexcept { return carried_out; }
  [[nodiscard]] static Outcome done(std::string text = {}) { return {true, std::move(text)}; }
  [[nodiscard]] static Outcome refused(std::string why) { return {false, std::move(why)}; }
  [[nodiscard]] static Outcome unsupported() { return refused("not offered here"); }
};

/// Messages and bytes: frontend received, frontend sent, backend received, backend sent.
using StatisticsValues = std::array<std::uint64_t, 8>;

/// What a control socket steers: the sidecar's routes, or one running C call. Called on the thread
/// that owns the control socket; every call is bounded in time. An exception becomes an ERR reply.
/// An empty route name means every route.
class Steerable {
 public:
  virtual Outcome pause(std::string_view route) = 0;
  virtual Outcome resume(std::string_view route) = 0;
  /// Returns at once; the stop itself takes up to the linger.
  virtual Outcome terminate(std::string_view route) = 0;
  virtual Outcome drain(std::string_view /*route*/) { return Outcome::unsupported(); }
  virtual StatisticsValues statistics() = 0;
  /// The text is one JSON object.
  virtual Outcome status() { return Outcome::unsupported(); }
  virtual Outcome get(std::string_view /*key*/) { return Outcome::unsupported(); }
  virtual Outcome set(std::string_view /*key*/, std::string_view /*value*/) {
    return Outcome::unsupported();
  }
  virtual Outcome attach(std::string_view /*route*/, std::string_view /*endpoint*/) {
    return Outcome::unsupported();
  }
  virtual Outcome detach(std::string_view /*route*/, std::string_view /*endpoint*/) {
    return Outcome::unsupported();
  }
  virtual Outcome reload() { return Outcome::unsupported(); }
  virtual Outcome ping() { return Outcome::done(); }

 protected:
  ~Steerable() = default;
};

}  // namespace sluice::core
