// SPDX-License-Identifier: Apache-2.0
#include "multicast.hpp"
#include "outlet/outlet.hpp"
#include "syscalls/role.hpp"

#include <cerrno>
#include <sys/socket.h>

namespace sluice::bench {

namespace {

/// One datagram a message, copied to every listener by the kernel.
class MulticastOutlet final : public Outlet {
 public:
  explicit MulticastOutlet(const std::string& endpoint)
      : m_endpoint(endpoint), m_fd(open_multicast_sender(endpoint)) {}

  [[nodiscard]] const std::string& endpoint() const noexcept override { return m_endpoint; }

  Result send(const Header& header, std::string_view filler) override {
    if (!m_marked) {
      syscalls::mark_thread_forwarding();
      m_marked = true;
    }
    m_datagram.assign(filler);
    write_header(reinterpret_cast<std::byte*>(m_datagram.data()), header);
    if (::send(m_fd.get(), m_datagram.data(), m_datagram.size(), 0) >= 0) return Result::sent;
    const bool again = errno == EINTR || errno == ENOBUFS || errno == EAGAIN;
    return again ? Result::full : Result::failed;
  }

 private:
  std::string m_endpoint;
  core::Fd m_fd;
  std::string m_datagram;
  bool m_marked = false;
};

}  // namespace

std::unique_ptr<Outlet> make_multicast_outlet(const std::string& endpoint) {
  return std::make_unique<MulticastOutlet>(endpoint);
}

}  // namespace sluice::bench
