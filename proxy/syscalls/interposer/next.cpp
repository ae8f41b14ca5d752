// SPDX-License-Identifier: Apache-2.0
#include "syscalls/interposer/next.hpp"

#include <cerrno>
#include <dlfcn.h>

namespace sluice::syscalls::interposer {

namespace {

// For a C library that lacks the function: what the kernel would say.
long missing() {
  errno = ENOSYS;
  return -1;
}

}  // namespace

void* Next::resolve() {
  const int saved = errno;
  void* address = ::dlsym(RTLD_NEXT, m_name);
  if (address == nullptr) {
    address = reinterpret_cast<void*>(&missing);
  }
  m_address.store(address, std::memory_order_relaxed);
  errno = saved;
  return address;
}

}  // namespace sluice::syscalls::interposer
