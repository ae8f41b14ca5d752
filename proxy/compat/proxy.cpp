// SPDX-License-Identifier: Apache-2.0
// The C interface: nothing is thrown through it.
#include "compat/call.hpp"
#include "core/route/options_check.hpp"

#include <sluice/error.hpp>
#include <sluice/sluice.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

namespace sluice::compat {
namespace {

constexpr std::uint64_t k_topic_limit = 8192;
// Beyond every limit, and small enough to be counted in nanoseconds.
constexpr std::uint64_t k_too_many_us = 1'000'000'000;

// False for a value out of range, or for fields of a later version that this one does not know.
bool read(const sluice_tuning& tuning, CallOptions& options) {
  if (tuning.size < sizeof tuning) return false;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&tuning);
  if (std::any_of(bytes + sizeof tuning, bytes + tuning.size, [](auto b) { return b != 0; })) {
    return false;
  }
  if ((tuning.flags & ~SLUICE_CONTINUE_ON_SIGNAL) != 0 || tuning.max_topic > k_topic_limit) {
    return false;
  }
  const auto us = [](std::uint64_t n) {
    return std::chrono::microseconds{static_cast<std::int64_t>(std::min(n, k_too_many_us))};
  };
  options.tuning.inbound_poll_rate = tuning.inbound_poll_rate;
  options.tuning.max_command_delay = us(tuning.max_command_delay_us);
  options.tuning.coalesce_delay = us(tuning.coalesce_delay_us);
  if (tuning.max_topic != 0) options.max_topic = tuning.max_topic;
  options.continue_on_signal = (tuning.flags & SLUICE_CONTINUE_ON_SIGNAL) != 0;
  core::check(options.tuning);
  return true;
}

// Whatever is thrown in here, as an errno.
template <typename Work>
int guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const ConfigError&) {
    return EINVAL;
  } catch (const std::system_error& e) {
    return e.code().value();
  } catch (...) {
    return EINVAL;
  }
}

}  // namespace

int run_call(void* frontend, void* backend, void* capture, void* control,
             const CallOptions& options) noexcept {
  return guarded([&]() -> int {
    for (void* socket : {frontend, backend, capture, control}) {
      if (socket == nullptr) continue;
      if (const int error = check_socket(socket)) return error;
    }
    return Call{frontend, backend, capture, control, options}.run();
  });
}

}  // namespace sluice::compat

extern "C" {

int sluice_proxy_tuned(void* frontend, void* backend, void* capture, void* control,
                       const sluice_tuning* tuning) {
  using namespace sluice::compat;
  const int error = guarded([&]() -> int {
    if (frontend == nullptr || backend == nullptr) return EFAULT;
    CallOptions options;
    if (tuning != nullptr && !read(*tuning, options)) return EINVAL;
    return run_call(frontend, backend, capture, control, options);
  });
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int sluice_proxy_steerable(void* frontend, void* backend, void* capture, void* control) {
  return sluice_proxy_tuned(frontend, backend, capture, control, nullptr);
}

}  // extern "C"
