// SPDX-License-Identifier: Apache-2.0
#include "address.hpp"
#include "outlet/outlet.hpp"
#include "syscalls/role.hpp"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <vector>

namespace sluice::bench {

namespace {

constexpr std::size_t k_length_size = 4;

/// Writes to each of the sockets that have connected to it, one after the other.
class PlainOutlet final : public Outlet {
 public:
  PlainOutlet(std::string endpoint, const PlainOptions& options)
      : m_options(options), m_endpoint(std::move(endpoint)), m_listener(listen_at(m_endpoint)) {}

  [[nodiscard]] const std::string& endpoint() const noexcept override { return m_endpoint; }

  Result send(const Header& header, std::string_view filler) override {
    mark_thread();
    const auto at = m_pending.size();
    const auto length = static_cast<std::uint32_t>(filler.size());
    m_pending.resize(at + k_length_size);
    std::memcpy(m_pending.data() + at, &length, k_length_size);
    m_pending += filler;
    write_header(reinterpret_cast<std::byte*>(m_pending.data()) + at + k_length_size, header);
    if (m_pending.size() < m_options.batch) return Result::sent;
    return flush();
  }

  Result flush() override {
    const std::string_view all = m_pending;
    bool good = true;
    for (const auto& peer : m_peers) {
      if (m_options.fields && !all.empty()) {
        // As a writer without a buffer does it: the length, the topic, the rest.
        good = good && write(peer.get(), all.substr(0, k_length_size)) &&
               write(peer.get(), all.substr(k_length_size, k_topic_size)) &&
               write(peer.get(), all.substr(k_length_size + k_topic_size));
      } else {
        good = good && write(peer.get(), all);
      }
    }
    m_pending.clear();
    return good ? Result::sent : Result::failed;
  }

  void drain() noexcept override {
    pollfd item{m_listener.get(), POLLIN, 0};
    while (poll(&item, 1, 0) > 0) {
      core::Fd peer(accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!peer) return;
      set_nodelay(peer.get(), m_options.nodelay);
      m_peers.push_back(std::move(peer));
    }
  }

 private:
  // A blocking write: it waits for a full peer, and fails when the peer is gone.
  static bool write(int fd, std::string_view bytes) noexcept {
    while (!bytes.empty()) {
      const auto n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  // The source's thread does what elsewhere a proxy does, and its system calls count as such.
  void mark_thread() {
    if (m_marked) return;
    syscalls::mark_thread_forwarding();
    m_marked = true;
  }

  PlainOptions m_options;
  std::string m_endpoint;
  core::Fd m_listener;
  std::vector<core::Fd> m_peers;
  std::string m_pending;
  bool m_marked = false;
};

}  // namespace

std::unique_ptr<Outlet> make_plain_outlet(const std::string& endpoint,
                                          const PlainOptions& options) {
  return std::make_unique<PlainOutlet>(endpoint, options);
}

}  // namespace sluice::bench
