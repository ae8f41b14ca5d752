// SPDX-License-Identifier: Apache-2.0
#include "compat/preload/owner.hpp"

#include <dlfcn.h>

namespace sluice::compat {
namespace {

// A socket is an object with virtual functions: its first word points into the library that made
// it.
bool find_maker(void* socket, Dl_info& info) noexcept {
  return ::dladdr(*static_cast<void**>(socket), &info) != 0 && info.dli_fbase != nullptr;
}

const void* base_of_our_copy() noexcept {
  // Not the address as this library sees it: in a program without position-independent code that
  // is a stub in the program.
  static const void* const base = []() -> const void* {
    Dl_info info{};
    void* const function = ::dlsym(RTLD_NEXT, "zmq_msg_recv");
    return function != nullptr && ::dladdr(function, &info) != 0 ? info.dli_fbase : nullptr;
  }();
  return base;
}

}  // namespace

bool is_ours(void* socket) noexcept {
  Dl_info maker{};
  return !find_maker(socket, maker) || maker.dli_fbase == base_of_our_copy();
}

void* stock_function(void* socket, const char* name) noexcept {
  Dl_info maker{};
  if (find_maker(socket, maker) && maker.dli_fname != nullptr) {
    // The handle is kept: the library is in use for as long as its socket is.
    if (void* const handle = ::dlopen(maker.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
      if (void* const function = ::dlsym(handle, name)) return function;
    }
  }
  return ::dlsym(RTLD_NEXT, name);
}

}  // namespace sluice::compat
