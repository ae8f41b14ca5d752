// SPDX-License-Identifier: Apache-2.0
// libsluice_preload.so: takes the place of libzmq's proxies in an unchanged program. The one
// library of ours that reads the environment and says something on stderr.
#include "compat/call.hpp"
#include "compat/preload/environment.hpp"
#include "compat/preload/owner.hpp"
#include "syscalls/shed.hpp"

#include <sluice/export.h>

#include <zmq.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace sluice::compat {
namespace {

void say(const std::string& text) noexcept {
  const std::string line = "libsluice_preload: " + text + "\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

void say_once(std::atomic<bool>& said, const char* text) {
  if (!said.exchange(true)) say(text);
}

// Once a process, at its first proxy.
const CallOptions& settings() {
  static const CallOptions options = [] {
    const auto read = read_preload_settings([](const char* name) { return ::secure_getenv(name); });
    for (const auto& complaint : read.complaints) say(complaint);
    syscalls::arm_descriptor_shedding();
    syscalls::on_shed([](void*) { say("connections are shed: no file descriptor is left"); },
                      nullptr);
    return read.options;
  }();
  return options;
}

// The thread-safe socket types of libzmq's draft API have no descriptor to wait for.
bool has_descriptor(void* socket) noexcept {
  int fd = -1;
  std::size_t size = sizeof fd;
  return zmq_getsockopt(socket, ZMQ_FD, &fd, &size) == 0 || errno != EINVAL;
}

template <typename Stock>
int proxy(void* frontend, void* backend, void* capture, void* control, const char* name,
          Stock&& call_stock) noexcept {
  static std::atomic<bool> said_copy{false};
  static std::atomic<bool> said_type{false};
  try {
    if (frontend == nullptr || backend == nullptr) {
      errno = EFAULT;
      return -1;
    }
    for (void* socket : {frontend, backend, capture, control}) {
      if (socket == nullptr) continue;
      const bool ours = is_ours(socket);
      if (ours && has_descriptor(socket)) continue;
      ours ? say_once(said_type, "sockets without a descriptor: libzmq's own proxy serves them")
           : say_once(said_copy,
                      "this program uses another copy of libzmq: its own proxy serves it");
      if (void* const stock = stock_function(socket, name)) return call_stock(stock);
      errno = ENOTSUP;
      return -1;
    }
    const int error = run_call(frontend, backend, capture, control, settings());
    if (error == 0) return 0;
    errno = error;
  } catch (...) {
    errno = ENOMEM;
  }
  return -1;
}

}  // namespace
}  // namespace sluice::compat

extern "C" {

SLUICE_EXPORT int zmq_proxy(void* frontend, void* backend, void* capture) {
  return sluice::compat::proxy(frontend, backend, capture, nullptr, "zmq_proxy", [&](void* stock) {
    return reinterpret_cast<decltype(&zmq_proxy)>(stock)(frontend, backend, capture);
  });
}

SLUICE_EXPORT int zmq_proxy_steerable(void* frontend, void* backend, void* capture, void* control) {
  return sluice::compat::proxy(frontend, backend, capture, control, "zmq_proxy_steerable",
                               [&](void* stock) {
                                 return reinterpret_cast<decltype(&zmq_proxy_steerable)>(stock)(
                                     frontend, backend, capture, control);
                               });
}

SLUICE_EXPORT int zmq_device(int type, void* frontend, void* backend) {
  return sluice::compat::proxy(frontend, backend, nullptr, nullptr, "zmq_device", [&](void* stock) {
    return reinterpret_cast<decltype(&zmq_device)>(stock)(type, frontend, backend);
  });
}

}  // extern "C"
