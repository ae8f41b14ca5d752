// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compat/passthrough.hpp"
#include "core/control/control_protocol.hpp"
#include "core/control/control_socket.hpp"
#include "core/control/steerable.hpp"
#include "core/loop/loop.hpp"

namespace sluice::compat {

/// The control socket of one C call and what its commands do. Lives and works on the loop's thread;
/// borrows everything.
class Steering final : public core::Steerable, public core::Watched, public core::Timed {
 public:
  struct Call {
    core::Loop& loop;
    core::LoopCounters& counters;
    Passthrough& upstream;
    void* frontend;  // as the caller named them
    void* backend;
    bool swapped;    // the loop's frontend is the caller's backend
    bool both_ways;  // PAUSE stops what comes up, too
  };

  Steering(void* control, const Call& call);
  ~Steering();
  Steering(const Steering&) = delete;
  Steering& operator=(const Steering&) = delete;

  void on_ready(std::uint32_t events) noexcept override;
  [[nodiscard]] core::Nanoseconds next_time() const noexcept override;
  void on_time(core::Nanoseconds now) noexcept override;

  core::Outcome pause(std::string_view route) override;
  core::Outcome resume(std::string_view route) override;
  core::Outcome terminate(std::string_view route) override;
  core::Outcome drain(std::string_view route) override;
  core::StatisticsValues statistics() override;
  core::Outcome status() override;
  core::Outcome get(std::string_view key) override;
  core::Outcome set(std::string_view key, std::string_view value) override;
  core::Outcome attach(std::string_view route, std::string_view endpoint) override;
  core::Outcome detach(std::string_view route, std::string_view endpoint) override;
  core::Outcome reload() override;

 private:
  void serve() noexcept;

  Call m_call;
  core::ControlProtocol m_protocol;
  core::ControlSocket m_socket;
  int m_fd;
  core::Nanoseconds m_start;
  bool m_more = true;
};

}  // namespace sluice::compat
