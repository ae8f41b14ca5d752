// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/zmq/message.hpp"

#include <cstddef>

namespace sluice::core {

/// Reads one whole message without waiting. 0, EAGAIN (nothing there, `message` empty) or another
/// errno. EFSM, a socket whose turn it is not, counts as EAGAIN.
[[nodiscard]] int receive_whole(void* socket, Message& message) noexcept;

/// Sends one whole message without waiting, from frame `done` on, which it advances and sets back
/// to 0 when the message is through. 0, EAGAIN (call again with the same `done`), or another errno
/// (the message is to be dropped, `done` is 0 again). Empties the frames it sends.
[[nodiscard]] int send_whole(void* socket, Message& message, std::size_t& done) noexcept;

/// The same, and the message keeps its bytes.
[[nodiscard]] int send_shared(void* socket, Message& message, std::size_t& done) noexcept;

}  // namespace sluice::core
