// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/loaded.hpp"

#include <sluice/options.hpp>

#include <memory>
#include <string_view>

namespace sluice::app {

/// The sidecar's log, to stderr: one line an event. Thread-safe. Never blocks: a reader of stderr
/// that has stopped costs lines, which are counted, not forwarding.
class Log {
 public:
  explicit Log(const config::LogOptions& options);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void write(Severity severity, std::string_view text, std::string_view route = {}) noexcept;
  void debug(std::string_view text) noexcept { write(Severity::debug, text); }
  void info(std::string_view text) noexcept { write(Severity::info, text); }
  void warning(std::string_view text) noexcept { write(Severity::warning, text); }
  void error(std::string_view text) noexcept { write(Severity::error, text); }

  void set_level(config::LogLevel level) noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace sluice::app
