// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"
#include "core/endpoint/ipc_listener.hpp"
#include "core/wait/waiter.hpp"

#include <sluice/options.hpp>

#include <cstdint>
#include <string>

namespace sluice::sink {

class Listener;

/// Who takes the connections.
class Acceptor {
 public:
  virtual void on_connection(Listener& listener) noexcept = 0;

 protected:
  ~Acceptor() = default;
};

/// One bound endpoint. Owned by the engine, used on the loop's thread.
class Listener final : public core::Watched {
 public:
  /// Binds and listens; throws EndpointError. Does not accept before `start`.
  Listener(const std::string& endpoint, const LinkOptions& link, const IpcFileOptions& file,
           Acceptor& acceptor);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void start(core::Waiter& waiter);
  /// Stops and starts taking connections without giving up the endpoint.
  void suspend() noexcept;
  void resume() noexcept;

  [[nodiscard]] int fd() const noexcept { return m_fd.get(); }
  [[nodiscard]] bool tcp() const noexcept { return m_tcp; }
  /// As bound, wildcards resolved.
  [[nodiscard]] const std::string& endpoint() const noexcept { return m_endpoint; }

  void on_ready(std::uint32_t events) noexcept override;

 private:
  void bind_tcp(const std::string& endpoint, const LinkOptions& link);

  core::Fd m_fd;
  core::IpcPathGuard m_guard;
  std::string m_endpoint;
  Acceptor& m_acceptor;
  core::Waiter* m_waiter = nullptr;
  bool m_tcp = false;
};

}  // namespace sluice::sink
