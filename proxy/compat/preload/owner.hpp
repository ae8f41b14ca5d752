// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::compat {

/// A process may hold several copies of libzmq (a Python wheel brings its own). A socket works with
/// the copy that made it only. Thread-safe.

/// Whether the copy of libzmq that this library calls made the socket. Also true where nobody can
/// tell: libzmq itself will then say that it is no socket.
[[nodiscard]] bool is_ours(void* socket) noexcept;

/// The function of that name in the copy that made the socket; where it cannot be found, the next
/// one after this library. Null if there is none.
[[nodiscard]] void* stock_function(void* socket, const char* name) noexcept;

}  // namespace sluice::compat
