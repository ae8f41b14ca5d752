// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/counter.hpp"
#include "core/base/latency_histogram.hpp"
#include "core/control/control_command.hpp"
#include "core/control/control_log.hpp"
#include "core/control/control_reply.hpp"
#include "core/control/steerable.hpp"

#include <sluice/options.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

namespace sluice::core {

/// One line for the log about steering; called on the control socket's thread.
using ControlLog = std::function<void(Severity, std::string_view text)>;

/// What came in over a control socket, without its envelope.
struct ControlInput {
  std::string_view first;   ///< the first frame
  std::size_t frames = 0;   ///< how many there were
  bool can_answer = true;   ///< whether the socket has a way back
  std::string_view from{};  ///< who sent it, where that is known: "pid 7, uid 0"
};

struct ControlAnswer {
  Reply reply;
  bool classic = false;  ///< carried out, of a kind that PAIR and DEALER leave unanswered
};

/// Carries out commands, whatever socket they came from, and makes the answers. Used by one
/// thread, except for the counters, which anybody may read. Outlived by what it steers.
class ControlProtocol {
 public:
  ControlProtocol(Steerable& steerable, ControlLog log);

  [[nodiscard]] ControlAnswer handle(const ControlInput& input) noexcept;

  [[nodiscard]] std::uint64_t done(Verb verb) const noexcept;
  [[nodiscard]] std::uint64_t refused(Verb verb) const noexcept;
  /// From the receipt of each command to its answer.
  [[nodiscard]] TimeCounts seconds() const noexcept { return m_seconds.read(); }
  /// Input that was not a command.
  [[nodiscard]] std::uint64_t rejected() const noexcept { return m_rejected.get(); }

 private:
  ControlAnswer carry_out(const Command& command, const ControlInput& input);
  Outcome steer(const Command& command);
  ControlAnswer reject(const Rejection& rejection, const ControlInput& input);
  void tell(LogLimit& limit, Severity severity, std::string text, const ControlInput& input);

  Steerable& m_steerable;
  ControlLog m_log;
  LogLimit m_complaints;
  LogLimit m_orders{10 * k_second, 10};
  std::array<Counter, k_verbs> m_done;
  std::array<Counter, k_verbs> m_refused;
  Counter m_rejected;
  LatencyHistogram m_seconds;
};

}  // namespace sluice::core
