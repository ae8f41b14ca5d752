// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/syscalls.hpp>

#include <stdexcept>

namespace sluice::test {

inline SyscallCounts counts_now() {
  auto counts = syscall_counts();
  if (!counts) {
    throw std::runtime_error{"this program has no interposer"};
  }
  return *std::move(counts);
}

inline SyscallTable operator-(SyscallTable after, const SyscallTable& before) {
  for (const auto& [name, count] : before) {
    after[name] -= count;
  }
  std::erase_if(after, [](const auto& cell) { return cell.second == 0; });
  return after;
}

inline SyscallCounts operator-(const SyscallCounts& after, const SyscallCounts& before) {
  return {.forwarding = after.forwarding - before.forwarding,
          .io = after.io - before.io,
          .other = after.other - before.other};
}

/// What `work` makes the process call, by role.
template <class Work>
SyscallCounts calls_of(Work&& work) {
  const SyscallCounts before = counts_now();
  work();
  return counts_now() - before;
}

}  // namespace sluice::test
