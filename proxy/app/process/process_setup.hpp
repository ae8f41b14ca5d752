// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <sys/types.h>

namespace sluice::app {

/// Raises the soft limit of descriptors to the hard one. Returns the limit in force.
unsigned long raise_descriptor_limit() noexcept;

/// From now on a core dump has no memory that was written to: no keys. False where the kernel does
/// not let us.
bool keep_memory_out_of_core_dumps() noexcept;

/// Publishers in this process (generators, plug-ins) allocate what the forwarding thread frees.
/// glibc does that without a lock up to a size, 128 bytes unless told otherwise; this makes it 160,
/// the largest there is (mallopt(3), M_MXFAST): messages of up to 112 bytes with libzmq's own part.
/// Call it before there are threads.
void free_small_messages_without_lock() noexcept;

class Log;

/// Lets the interposed accept4 shed connections at the limit, where the interposer is present, and
/// says so in the log, at most once a minute, while it lives. Main thread.
class ConnectionShedding {
 public:
  explicit ConnectionShedding(Log& log) noexcept;
  ~ConnectionShedding();
  ConnectionShedding(const ConnectionShedding&) = delete;
  ConnectionShedding& operator=(const ConnectionShedding&) = delete;
};

/// A file with the process's number, removed at the end if it is still ours. Main thread.
class PidFile {
 public:
  /// Nothing for an empty path. Throws std::runtime_error naming the path.
  explicit PidFile(std::string path);
  ~PidFile() { remove(); }
  /// Now; the file is not ours any more.
  void remove() noexcept;
  PidFile(const PidFile&) = delete;
  PidFile& operator=(const PidFile&) = delete;

 private:
  std::string m_path;
  dev_t m_device = 0;
  ino_t m_inode = 0;
};

}  // namespace sluice::app
