// SPDX-License-Identifier: Apache-2.0
#include "syscalls/find_interposer.hpp"

#include <dlfcn.h>

namespace sluice::syscalls {

const sluice_interposer_v1* find_interposer() {
  // Either is there before main() or never: wrappers that come later catch no calls.
  static const sluice_interposer_v1* const found = []() -> const sluice_interposer_v1* {
    void* const address = ::dlsym(RTLD_DEFAULT, SLUICE_INTERPOSER_SYMBOL);
    return address == nullptr ? nullptr
                              : reinterpret_cast<sluice_interposer_v1_function*>(address)();
  }();
  return found;
}

}  // namespace sluice::syscalls
