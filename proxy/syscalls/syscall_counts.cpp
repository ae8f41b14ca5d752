// SPDX-License-Identifier: Apache-2.0
#include "syscalls/find_interposer.hpp"
#include "syscalls/kinds.hpp"

#include <sluice/syscalls.hpp>

#include <vector>

namespace sluice {

namespace {

SyscallTable table_of(const sluice_interposer_v1& interposer, syscalls::Role role) {
  std::vector<std::uint64_t> cells(interposer.kinds);
  interposer.sum(static_cast<std::uint32_t>(role), cells.data(), interposer.kinds);
  SyscallTable table;
  for (std::uint32_t kind = 0; kind < interposer.kinds; ++kind) {
    if (cells[kind] != 0) {
      table.emplace(interposer.kind_name(kind), cells[kind]);
    }
  }
  return table;
}

}  // namespace

std::optional<SyscallCounts> syscall_counts() {
  const sluice_interposer_v1* const interposer = syscalls::find_interposer();
  if (interposer == nullptr) {
    return std::nullopt;
  }
  return SyscallCounts{.forwarding = table_of(*interposer, syscalls::Role::forwarding),
                       .io = table_of(*interposer, syscalls::Role::io),
                       .other = table_of(*interposer, syscalls::Role::other)};
}

}  // namespace sluice
