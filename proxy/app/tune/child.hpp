// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/ctl/control_client.hpp"
#include "app/top/sample.hpp"
#include "app/tune/knobs.hpp"
#include "app/tune/workload.hpp"
#include "core/base/clock.hpp"

#include <sluice/options.hpp>

#include <memory>
#include <string>
#include <sys/types.h>

namespace sluice::app::tune {

/// A folder in the temporary directory for the files and sockets of a search.
class Scratch {
 public:
  /// Throws std::system_error.
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::string& path() const noexcept { return m_path; }

 private:
  std::string m_path;
};

/// A sidecar of our own as a child process: one ipc source, one sink of one engine, with the marks
/// of the route that is tuned, and on_full = block, so that nothing is lost and every setting has
/// the same to do. It ends with this process at the latest. Used by one thread.
class Child {
 public:
  /// Returns when it is ready. Throws std::runtime_error with what it said.
  Child(const Scratch& scratch, Engine engine, const RouteOptions& like, bool tcp);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] const std::string& source() const noexcept { return m_source; }
  [[nodiscard]] const std::string& sink() const noexcept { return m_sink; }
  [[nodiscard]] const std::string& control() const noexcept { return m_control; }

  void set(const Tuning& tuning);
  [[nodiscard]] top::Sample sample();
  /// Of all its threads.
  [[nodiscard]] core::Nanoseconds cpu() const;

 private:
  [[nodiscard]] std::string configuration(Engine engine, const RouteOptions& like, bool tcp) const;
  std::string ask(const std::string& command);
  void end() noexcept;

  std::string m_name;
  std::string m_folder;
  std::string m_source;
  std::string m_sink;
  std::string m_control;
  pid_t m_pid = -1;
  std::unique_ptr<ControlClient> m_client;
};

}  // namespace sluice::app::tune
