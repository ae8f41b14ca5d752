// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/zmq/zmq_socket.hpp"

#include <string>

namespace sluice::core {

// libzmq cannot take back a connect to an inproc name that nobody has bound: a socket that is
// closed then stays, with its descriptor, until somebody binds the name or the context ends. So
// such a socket is not closed but kept for whoever waits for that name next. A thread for each
// context that has any, which does nothing else, closes them when the context ends.
//
// Process-wide because contexts are: the route that left a socket here is gone. Any thread.

/// Keeps a socket that is connected to `name` and waits for its owner. Closes it where it cannot.
void keep_waiting(void* context, const std::string& name, ZmqSocket socket) noexcept;

/// A socket kept for that name, or none. It may have found an owner meanwhile, and lost it again.
[[nodiscard]] ZmqSocket take_waiting(void* context, const std::string& name) noexcept;

}  // namespace sluice::core
