// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::compat {

/// The two data sockets of a call as the loop sees them: `frontend` is where most data comes from,
/// whichever way round the caller named them. A plain value.
struct SocketPair {
  void* frontend;
  void* backend;
  bool swapped;      ///< the caller named them the other way round
  bool same;         ///< one socket: what is received is sent back through it
  bool receives_up;  ///< what the backend receives goes to the frontend
  bool drops_up;   ///< or nowhere: the frontend cannot send, and an XPUB keeps all until it is read
  bool both_ways;  ///< and it is data, not subscriptions
  bool checks_topics;  ///< and the frontend keeps a trie of the topics
};

/// For two open sockets.
[[nodiscard]] SocketPair arrange(void* frontend, void* backend) noexcept;

/// 0, or why the socket cannot be used: ENOTSOCK, ETERM, EINTR (it belongs to the parent of a
/// forked process), or EINVAL for the thread-safe types, which have no descriptor.
[[nodiscard]] int check_socket(void* socket) noexcept;

}  // namespace sluice::compat
