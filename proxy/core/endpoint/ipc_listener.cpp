// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/ipc_listener.hpp"

#include "core/base/clock.hpp"
#include "core/endpoint/ipc_files.hpp"

#include <sluice/error.hpp>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <grp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::core {
namespace {

constexpr std::string_view k_scheme = "ipc://";
constexpr Nanoseconds k_lock_patience = 2 * k_second;

bool same_file(const struct stat& a, const struct stat& b) noexcept {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Exclusive right to judge and change what is at one path. The lock file is removed by its
/// holder, so whoever gets the lock checks that the file it locked is still the one at the path.
class PathLock {
 public:
  explicit PathLock(const std::string& path) : m_path(path + ".lock") {}
  ~PathLock() { release(); }
  PathLock(const PathLock&) = delete;
  PathLock& operator=(const PathLock&) = delete;

  void release() noexcept {
    if (m_fd) ::unlink(m_path.c_str());
    m_fd.reset();
  }
  /// 0 or an errno; ETIMEDOUT after `patience`.
  int acquire(Nanoseconds patience) noexcept {
    const Nanoseconds deadline = now() + patience;
    for (;;) {
      Fd fd{::open(m_path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600)};
      if (!fd) return errno;
      if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) {
        struct stat locked {};
        struct stat there {};
        if (::fstat(fd.get(), &locked) == 0 && ::lstat(m_path.c_str(), &there) == 0 &&
            same_file(locked, there)) {
          m_fd = std::move(fd);
          return 0;
        }
        continue;  // its holder removed it between our open and our lock
      }
      if (errno != EWOULDBLOCK && errno != EINTR) return errno;
      if (now() > deadline) return ETIMEDOUT;
      const timespec pause{0, 1'000'000};
      ::nanosleep(&pause, nullptr);
    }
  }

 private:
  std::string m_path;
  Fd m_fd;
};

struct Address {
  sockaddr_un un{};
  socklen_t length = 0;
};

Address path_address(std::string_view path) noexcept {
  Address a;
  a.un.sun_family = AF_UNIX;
  std::memcpy(&a.un.sun_path[0], path.data(), path.size());
  a.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  return a;
}

Address abstract_address(std::string_view name) noexcept {
  Address a;
  a.un.sun_family = AF_UNIX;
  std::memcpy(&a.un.sun_path[1], name.data(), name.size());
  a.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return a;
}

const sockaddr* generic(const Address& a) noexcept {
  return reinterpret_cast<const sockaddr*>(&a.un);
}

Fd new_socket() noexcept {
  return Fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
}

/// One attempt to bind one endpoint; throws with the endpoint's name.
class Binder {
 public:
  Binder(std::string endpoint, const IpcFileOptions& file, int backlog)
      : m_endpoint(std::move(endpoint)), m_file(file), m_backlog(backlog) {}

  IpcListener bind_abstract(std::string_view name) {
    if (name.empty()) fail(EINVAL, "an abstract name needs at least one character after the @");
    if (name.size() > k_ipc_path_max) fail_length("abstract name", name);
    Fd fd = open_socket();
    const Address address = abstract_address(name);
    if (::bind(fd.get(), generic(address), address.length) != 0) fail(errno, "cannot bind");
    if (::listen(fd.get(), m_backlog) != 0) fail(errno, "cannot listen");
    return {std::move(fd), IpcPathGuard{}, m_endpoint};
  }

  IpcListener bind_path(const std::string& path, std::string directory) {
    if (path.empty()) fail(EINVAL, "the path is empty");
    if (path.find('\0') != std::string::npos) fail(EINVAL, "the path has a zero byte");
    if (path.size() > k_ipc_path_max) fail_length("path", path);
    std::error_code ec;
    const std::string absolute = std::filesystem::absolute(path, ec).lexically_normal().string();
    if (ec) fail(ec.value(), "cannot make the path absolute");
    check_directory(absolute);
    const gid_t gid = group();
    PathLock lock{absolute};
    if (const int error = lock.acquire(k_lock_patience); error != 0) {
      fail(error, error == ETIMEDOUT ? "somebody holds the lock " + absolute + ".lock"
                                     : "cannot lock " + absolute + ".lock");
    }
    make_way(path, absolute);

    Fd fd = open_socket();
    // The mode of the socket becomes the mode of the file, less the umask. With a group to set,
    // nobody but the owner gets in until it is set.
    const bool other_group = !m_file.group.empty();
    const mode_t first = m_file.mode & (other_group ? 0700U : 0777U);
    if (::fchmod(fd.get(), first) != 0) fail(errno, "cannot set the mode of the socket");
    const Address address = path_address(path);
    if (::bind(fd.get(), generic(address), address.length) != 0) fail(errno, "cannot bind");
    Fd node{::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)};
    if (!node) {
      const int error = errno;
      ::unlink(path.c_str());
      fail(error, "cannot look at the file just bound");
    }
    const std::string by_node = "/proc/self/fd/" + std::to_string(node.get());
    struct stat made {};
    const bool known = ::fstat(node.get(), &made) == 0;
    IpcPathGuard guard{absolute, std::move(node), std::move(directory), IpcPathGuard::Locked{}};
    if (!known || !S_ISSOCK(made.st_mode)) fail(EADDRINUSE, "the path was taken meanwhile");
    if (other_group && ::chown(by_node.c_str(), static_cast<uid_t>(-1), gid) != 0) {
      fail(errno, "cannot give the file to group " + m_file.group);
    }
    if ((made.st_mode & 07777U) != m_file.mode && ::chmod(by_node.c_str(), m_file.mode) != 0) {
      fail(errno, "cannot set the mode of the file");
    }
    if (::listen(fd.get(), m_backlog) != 0) fail(errno, "cannot listen");
    guard.use_lock();
    return {std::move(fd), std::move(guard), std::string{k_scheme} + absolute};
  }

  [[noreturn]] void fail(int error, const std::string& what) const {
    throw EndpointError(m_endpoint, error, what);
  }

 private:
  [[noreturn]] void fail_length(const char* kind, std::string_view name) const {
    fail(ENAMETOOLONG, "the " + std::string{kind} + " " + std::string{name} + " has " +
                           std::to_string(name.size()) + " bytes; at most " +
                           std::to_string(k_ipc_path_max) + " fit a socket address");
  }

  Fd open_socket() const {
    Fd fd = new_socket();
    if (!fd) fail(errno, "cannot make a socket");
    return fd;
  }

  void check_directory(const std::string& absolute) const {
    const std::string parent = std::filesystem::path{absolute}.parent_path().string();
    struct stat info {};
    if (::stat(parent.c_str(), &info) != 0) {
      const int error = errno;
      fail(error, error == ENOENT ? "the directory " + parent + " does not exist"
                                  : "cannot look at the directory " + parent);
    }
    if (!S_ISDIR(info.st_mode)) fail(ENOTDIR, parent + " is not a directory");
    if (::access(parent.c_str(), W_OK | X_OK) != 0) {
      fail(errno, "no right to make a file in the directory " + parent);
    }
  }

  gid_t group() const {
    if (m_file.group.empty()) return static_cast<gid_t>(-1);
    std::vector<char> buffer(16'384);
    struct group entry {};
    struct group* found = nullptr;
    if (::getgrnam_r(m_file.group.c_str(), &entry, buffer.data(), buffer.size(), &found) == 0 &&
        found != nullptr) {
      return found->gr_gid;
    }
    gid_t number = 0;
    const char* end = m_file.group.data() + m_file.group.size();
    const auto [rest, error] = std::from_chars(m_file.group.data(), end, number);
    if (error != std::errc{} || rest != end) fail(EINVAL, "there is no group " + m_file.group);
    return number;
  }

  /// Leaves nothing at the path, or throws because what is there is not ours to remove.
  void make_way(const std::string& path, const std::string& absolute) const {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) {
      if (errno == ENOENT) return;
      fail(errno, "cannot look at " + absolute);
    }
    if (S_ISDIR(info.st_mode)) fail(EISDIR, absolute + " is a directory");
    if (!S_ISSOCK(info.st_mode)) {
      fail(EEXIST, absolute + " exists and is not a socket; it is left alone");
    }
    const Fd probe = open_socket();
    const Address address = path_address(path);
    if (::connect(probe.get(), generic(address), address.length) == 0 || errno == EAGAIN) {
      fail(EADDRINUSE, "somebody listens on " + absolute);
    }
    if (errno == ENOENT) return;
    if (errno != ECONNREFUSED) fail(errno, "cannot tell whether somebody listens on " + absolute);
    struct stat again {};
    if (::lstat(path.c_str(), &again) == 0 && same_file(info, again) &&
        ::unlink(path.c_str()) != 0) {
      fail(errno, "cannot remove the dead socket " + absolute);
    }
  }

  std::string m_endpoint;
  const IpcFileOptions& m_file;
  int m_backlog;
};

IpcListener bind_anywhere(Binder& binder) {
  std::error_code ec;
  const auto base = std::filesystem::temp_directory_path(ec);
  if (ec) binder.fail(ec.value(), "no temporary directory");
  std::string directory = (base / "sluice-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    binder.fail(errno, "cannot make a directory in " + base.string());
  }
  try {
    return binder.bind_path(directory + "/socket", directory);
  } catch (...) {
    ::rmdir(directory.c_str());
    throw;
  }
}

}  // namespace

IpcPathGuard::IpcPathGuard(std::string path, Fd node, std::string directory, Locked /*held*/)
    : m_path(std::move(path)),
      m_directory(std::move(directory)),
      m_node(std::move(node)),
      m_pid(::getpid()) {
  struct stat made {};
  if (::fstat(m_node.get(), &made) == 0) note_ipc_file(m_path, m_directory, made);
}

IpcPathGuard::IpcPathGuard(IpcPathGuard&& other) noexcept
    : m_path(std::exchange(other.m_path, {})),
      m_directory(std::exchange(other.m_directory, {})),
      m_node(std::move(other.m_node)),
      m_pid(other.m_pid),
      m_take_lock(other.m_take_lock) {}

IpcPathGuard& IpcPathGuard::operator=(IpcPathGuard&& other) noexcept {
  if (this != &other) {
    remove();
    m_path = std::exchange(other.m_path, {});
    m_directory = std::exchange(other.m_directory, {});
    m_node = std::move(other.m_node);
    m_pid = other.m_pid;
    m_take_lock = other.m_take_lock;
  }
  return *this;
}

void IpcPathGuard::remove() noexcept {
  if (!m_node) return;
  const Fd node = std::move(m_node);
  if (::getpid() != m_pid) return;
  forget_ipc_file(m_path);
  PathLock lock{m_path};
  // Without the lock (read-only by now, somebody sits on it) the check below is all there is.
  if (m_take_lock) static_cast<void>(lock.acquire(100 * k_millisecond));
  struct stat ours {};
  struct stat there {};
  if (::fstat(node.get(), &ours) == 0 && ::lstat(m_path.c_str(), &there) == 0 &&
      same_file(ours, there)) {
    ::unlink(m_path.c_str());
  }
  lock.release();
  if (!m_directory.empty()) ::rmdir(m_directory.c_str());
}

IpcListener listen_ipc(std::string_view endpoint, const IpcFileOptions& file, int backlog) {
  Binder binder{std::string{endpoint}, file, backlog};
  if (!endpoint.starts_with(k_scheme)) binder.fail(EINVAL, "an ipc endpoint begins with ipc://");
  const std::string_view address = endpoint.substr(k_scheme.size());
  if (address.starts_with('@')) return binder.bind_abstract(address.substr(1));
  if (address == "*") return bind_anywhere(binder);
  return binder.bind_path(std::string{address}, {});
}

}  // namespace sluice::core
