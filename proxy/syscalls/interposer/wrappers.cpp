// SPDX-License-Identifier: Apache-2.0
#include "syscalls/interposer/next.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

// The functions get their public names by assembler label, so that they need not agree with what
// the C library's headers declare (and inline) in every mode.
namespace sluice::syscalls::interposer {

namespace {
#define WRAP(kind, result, function, parameters, arguments) constinit Next g_##function{#function};
#include "syscalls/interposer/wrapped_calls.inc"
#undef WRAP
}  // namespace

#define WRAP(kind, result, function, parameters, arguments)                  \
  SLUICE_INTERPOSED result counted_##function parameters __asm__(#function); \
  result counted_##function parameters {                                     \
    tally(k_##kind);                                                         \
    return g_##function.as<decltype(counted_##function)>() arguments;        \
  }
#include "syscalls/interposer/wrapped_calls.inc"
#undef WRAP

void resolve_wrappers() {
#define WRAP(kind, result, function, parameters, arguments) g_##function.resolve();
#include "syscalls/interposer/wrapped_calls.inc"
#undef WRAP
}

}  // namespace sluice::syscalls::interposer
