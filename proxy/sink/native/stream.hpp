// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/cursor.hpp"
#include "sink/native/intrusive_list.hpp"

#include <cstdint>

namespace sluice::sink {

class Group;

/// What one subscriber is still to be sent: a place in the stream of its class. No socket in here.
/// Belongs to the peer, is moved about by Fanout and Group only.
struct Stream {
  enum class Place : std::uint8_t {
    caught_up,  ///< has been sent everything
    behind,     ///< at the class's resume point: has not been written to since it was caught up
    lagging,    ///< at `cursor`
    dropping,   ///< fell off: `cursor` is in a chain of its own that ends at `stop_*`
  };

  ListHook<Stream> hook;        ///< in one of the class's lists
  ListHook<Stream> ready_hook;  ///< in the list of those to be written to next
  Group* group = nullptr;
  Cursor cursor;
  std::uint64_t stop_message = 0;  ///< dropping: what is queued ends here, the rest is missed
  std::uint64_t stop_byte = 0;
  std::uint64_t delivered = 0;  ///< messages handed to the kernel whole
  std::uint64_t dropped = 0;    ///< without those missed since `stop_message`
  Place place = Place::caught_up;
  bool blocked = false;  ///< its socket takes nothing more for now
};

/// The streams to be written to, in turn.
using ReadyList = IntrusiveList<Stream, &Stream::ready_hook>;

}  // namespace sluice::sink
