// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/control/steerable.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::core {

/// Remembers what it was told; knows one route, "market", and one key, "k".
class FakeSteerable final : public Steerable {
 public:
  Outcome pause(std::string_view route) override { return on("pause", route); }
  Outcome resume(std::string_view route) override { return on("resume", route); }
  Outcome terminate(std::string_view route) override { return on("terminate", route); }
  Outcome drain(std::string_view route) override { return on("drain", route); }
  StatisticsValues statistics() override { return {1, 2, 3, 4, 5, 6, 7, 8}; }
  Outcome status() override { return Outcome::done(status_text); }
  Outcome get(std::string_view key) override {
    if (key != "k") return Outcome::refused("no key");
    return Outcome::done("v");
  }
  Outcome set(std::string_view key, std::string_view value) override {
    if (value == "throw") throw std::runtime_error("thrown");
    calls.push_back("set " + std::string(key) + "=" + std::string(value));
    return Outcome::done();
  }

  std::vector<std::string> calls;
  std::atomic<std::size_t> count{0};  ///< of steering calls; may be read while others come
  std::string status_text = "{}";

 private:
  Outcome on(const std::string& what, std::string_view route) {
    if (!route.empty() && route != "market") return Outcome::refused("no such route");
    calls.push_back(route.empty() ? what : what + " " + std::string(route));
    ++count;
    return Outcome::done();
  }
};

}  // namespace sluice::core
