// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/top/sample.hpp"

#include <ctime>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice::app::top {

/// What passed through a route in some time.
struct Passed : Totals {
  double seconds = 0;
  std::uint64_t dropped = 0;
  std::uint64_t process_messages = 0;  ///< of all routes: system calls are counted for the process
  std::optional<std::uint64_t> calls;

  Passed& operator+=(const Passed& other) noexcept;
  [[nodiscard]] double messages_per_s() const noexcept;
  [[nodiscard]] double bytes_per_s() const noexcept;
  [[nodiscard]] double cpu_share() const noexcept;  ///< of one processor
  [[nodiscard]] std::optional<double> cpu_ns_per_message() const noexcept;
  [[nodiscard]] std::optional<double> calls_per_message() const noexcept;
  [[nodiscard]] std::optional<double> burst() const noexcept;  ///< messages, on average
};

/// A setting that changed while somebody watched.
struct Change {
  std::time_t time = 0;
  std::string route;
  std::string what;  ///< "coalesce_delay 0 -> 1ms"
  Passed before;     ///< in up to five intervals before it
  Passed after;      ///< in up to five intervals since
  int intervals_after = 0;
  // For the plain form, which says each of them once.
  bool announced = false;
  bool told = false;
};

inline constexpr int k_compared_intervals = 5;

/// Makes rates and changes out of samples. The interval in which a setting changed belongs neither
/// to before nor to after. A value, used by one thread.
class History {
 public:
  /// In order of time.
  void add(Sample sample, std::time_t time);

  [[nodiscard]] const Sample& latest() const { return m_latest; }
  /// In the last interval; nothing before there have been two samples of it.
  [[nodiscard]] std::optional<Passed> last(const std::string& route) const;
  /// Oldest first; a limited number.
  [[nodiscard]] std::deque<Change>& changes() noexcept { return m_changes; }
  [[nodiscard]] const std::deque<Change>& changes() const noexcept { return m_changes; }

 private:
  void note_changes(const RouteSample& was, const RouteSample& is, std::time_t time);

  Sample m_latest;
  bool m_any = false;
  std::map<std::string, Passed> m_last;
  std::map<std::string, std::deque<Passed>> m_recent;  // since the last change
  std::deque<Change> m_changes;
};

}  // namespace sluice::app::top
