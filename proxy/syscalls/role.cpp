// SPDX-License-Identifier: Apache-2.0
#include "syscalls/role.hpp"

#include "syscalls/find_interposer.hpp"

namespace sluice::syscalls {

namespace {

Role set_role(Role role) {
  const sluice_interposer_v1* const interposer = find_interposer();
  return interposer == nullptr
             ? role
             : static_cast<Role>(interposer->set_role(static_cast<std::uint32_t>(role)));
}

}  // namespace

ForwardingScope::ForwardingScope() : m_before{set_role(Role::forwarding)} {}

ForwardingScope::~ForwardingScope() {
  set_role(m_before);
}

void mark_thread_forwarding() {
  set_role(Role::forwarding);
}

}  // namespace sluice::syscalls
