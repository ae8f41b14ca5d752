// SPDX-License-Identifier: Apache-2.0
#include "syscalls/shed.hpp"

#include "syscalls/find_interposer.hpp"

namespace sluice::syscalls {

bool arm_descriptor_shedding() {
  const sluice_interposer_v1* const interposer = find_interposer();
  return interposer != nullptr && interposer->arm_shedding() == 0;
}

std::uint64_t shed_connections() {
  const sluice_interposer_v1* const interposer = find_interposer();
  return interposer == nullptr ? 0 : interposer->shed_connections();
}

bool on_shed(void (*told)(void* context), void* context) {
  const sluice_interposer_v1* const interposer = find_interposer();
  if (interposer == nullptr || interposer->size < sizeof(sluice_interposer_v1)) return false;
  interposer->on_shed(told, context);
  return true;
}

}  // namespace sluice::syscalls
