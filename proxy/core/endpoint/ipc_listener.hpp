// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

#include <sluice/options.hpp>

#include <string>
#include <string_view>
#include <sys/types.h>

namespace sluice::core {

/// The longest path or abstract name that fits a Unix socket address.
inline constexpr std::size_t k_ipc_path_max = 107;

/// Owner of the file that a bound ipc path made. Removes it at its end if and only if the file at
/// the path is still that one and the process still the one that made it (a forked child leaves it
/// alone). Movable; any one thread at a time.
class IpcPathGuard {
 public:
  /// The maker holds the path's lock, until it calls `use_lock`.
  struct Locked {};

  IpcPathGuard() noexcept = default;
  /// Takes over the file at `path`, which `node` (O_PATH) refers to. Keeping the node open keeps
  /// its inode number from being given to somebody else's file. `directory`: made for this file,
  /// to be removed with it; empty if not.
  IpcPathGuard(std::string path, Fd node, std::string directory, Locked held);
  ~IpcPathGuard() { remove(); }
  IpcPathGuard(IpcPathGuard&& other) noexcept;
  IpcPathGuard& operator=(IpcPathGuard&& other) noexcept;
  IpcPathGuard(const IpcPathGuard&) = delete;
  IpcPathGuard& operator=(const IpcPathGuard&) = delete;

  /// Empty for an abstract name.
  [[nodiscard]] const std::string& path() const noexcept { return m_path; }
  /// Removes the file now, if it is still ours.
  void remove() noexcept;
  void use_lock() noexcept { m_take_lock = true; }

 private:
  std::string m_path;
  std::string m_directory;
  Fd m_node;
  pid_t m_pid = 0;
  bool m_take_lock = false;
};

/// A listening Unix stream socket: non-blocking, close-on-exec. The guard goes first, so the file
/// is gone before the socket closes and a successor never sees a dead socket of ours.
struct IpcListener {
  Fd fd;
  IpcPathGuard guard;
  std::string endpoint;  ///< absolute: "ipc:///run/x.sock", "ipc://@name"
};

/// Binds `endpoint` ("ipc://" and a path, "@" and an abstract name, or "*" for a path of our
/// choice below the temporary directory) and listens.
///
/// The file at the path is replaced only when it is a socket that nobody listens on; start-up races
/// with other users of this function are settled by a lock file beside the path, which lives only
/// as long as the call. The file has `file.mode` and `file.group` when this returns and was never
/// open to more than that. Throws EndpointError naming the endpoint and what to do; then nothing
/// was created or removed.
[[nodiscard]] IpcListener listen_ipc(std::string_view endpoint, const IpcFileOptions& file,
                                     int backlog = 1024);

}  // namespace sluice::core
