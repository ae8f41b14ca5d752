// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/endpoint/inproc_probe.hpp"
#include "core/endpoint/ipc_listener.hpp"
#include "core/endpoint/monitor.hpp"

#include <sluice/options.hpp>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sluice::core {

/// The endpoints of one libzmq socket: binds and connects them, knows their state and frees them.
/// On the loop's thread; ends before its socket is closed, unless that is announced.
class EndpointSet {
 public:
  enum class State { listening, connected, waiting };
  struct Entry {
    std::string given;   ///< as the user wrote it, normalised
    std::string actual;  ///< as bound: wildcards resolved, paths absolute
    bool bound = false;
    IpcPathGuard file;
    std::unique_ptr<InprocProbe> probe;  ///< of inproc connects; others are asked of the monitor
  };

  EndpointSet(void* context, void* socket, Waiter& waiter) noexcept
      : m_context(context), m_socket(socket), m_waiter(waiter) {}
  /// Called after the socket was used outside of the calls below: that may have consumed the
  /// wake-up of what waits to be read.
  void on_touch(std::function<void()> touched) { m_touched = std::move(touched); }

  /// Called for each connection that was made or lost, see Monitor. Before `bind` and `connect`.
  void on_peer(std::function<void(bool, const std::string&)> told) { m_told = std::move(told); }

  /// Both throw EndpointError naming the endpoint, the errno text and what is allowed there.
  void bind(const std::string& endpoint, const IpcFileOptions& file);
  /// Connecting what is connected already changes nothing. An inproc name whose owner goes and
  /// comes back is connected again by itself.
  State connect(const std::string& endpoint);
  /// Disconnects; what is in the pipe is lost. False when it was not connected.
  bool disconnect(const std::string& endpoint);

  /// One bound endpoint, as it was given; libzmq cuts those who came in there.
  void unbind(const std::string& endpoint) noexcept;
  /// Unbinds everything that is bound; `free` tells when the addresses can be used again.
  void unbind_all() noexcept;
  [[nodiscard]] bool free() const;
  /// Takes the files of bound ipc paths away, so that nobody new finds them.
  void remove_files() noexcept;
  /// The socket is about to be closed, which frees what is bound, and leaves to libzmq what was
  /// sent: `gone` tells when the endpoints are free and it has nothing more to do, at the latest
  /// when its linger has passed.
  void socket_closes() noexcept;
  [[nodiscard]] bool gone() const noexcept { return !m_monitor || m_monitor->ended(); }

  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return m_entries; }
  [[nodiscard]] State state(const Entry& entry) const;
  [[nodiscard]] bool has(const std::string& endpoint) const;
  /// Open connections, bound and connected endpoints together; inproc ones are invisible.
  [[nodiscard]] std::size_t connections() const noexcept;

 private:
  void unbind(Entry& entry) noexcept;
  void watch(const std::string& endpoint);
  void connect_found(const std::string& name);

  void* m_context;
  void* m_socket;
  Waiter& m_waiter;
  std::unique_ptr<Monitor> m_monitor;
  std::vector<Entry> m_entries;
  std::vector<std::string> m_unbinding;
  std::set<std::string> m_pending;  // inproc names that the socket connects to by itself
  std::function<void()> m_touched;
  std::function<void(bool, const std::string&)> m_told;
};

[[nodiscard]] const char* to_string(EndpointSet::State state) noexcept;

}  // namespace sluice::core
