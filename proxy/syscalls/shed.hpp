// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sluice::syscalls {

/// At the descriptor limit, from now on, accept and accept4 in this process take a waiting
/// connection through a spare descriptor, close it and fail with ECONNABORTED (EAGAIN where nobody
/// waits), instead of failing with EMFILE or ENFILE for as long as it stays in the queue. libzmq's
/// listeners take both for nothing; on EMFILE its ipc listeners abort and its tcp listeners spin.
/// False without the interposer, or where no spare descriptor could be opened. Call it early, once.
bool arm_descriptor_shedding();

/// Connections closed that way since the process began; 0 without the interposer.
[[nodiscard]] std::uint64_t shed_connections();

/// After a connection was shed, at most once a minute, `told(context)` is called on the thread that
/// accepts; null ends it. False without the interposer.
bool on_shed(void (*told)(void* context), void* context);

}  // namespace sluice::syscalls
