// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"
#include "outlet/outlet.hpp"

#include <string>
#include <string_view>

namespace sluice::bench {

/// A publisher of a foreign protocol on one plain socket, in writes of 64 KiB: it costs as little
/// as can be, so that the intermediary is what is measured.
class StreamOutlet : public Outlet {
 public:
  /// Connects and sends `greeting`. Throws std::runtime_error.
  StreamOutlet(const std::string& endpoint, std::string_view greeting);

  [[nodiscard]] const std::string& endpoint() const noexcept override { return m_endpoint; }
  Result send(const Header& header, std::string_view filler) override;
  Result flush() override;
  /// What the other end says does not matter to a publisher.
  void drain() noexcept override;

 protected:
  /// Appends what comes before a payload of `size` bytes on the wire, and what comes behind it.
  virtual void append_head(std::string& to, const Header& header, std::size_t size) = 0;
  virtual void append_tail(std::string& /*to*/) {}

 private:
  core::Fd m_fd;
  std::string m_endpoint;
  std::string m_pending;
  std::size_t m_written = 0;  // of m_pending
};

}  // namespace sluice::bench
