// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/store.hpp"

#include <cstdint>

namespace sluice::sink {

/// A place in a chain of chunks: what comes before it has been sent. Holds a reference to its
/// chunk while `chunk` is not null (by hand: whoever moves it counts).
struct Cursor {
  Chunk* chunk = nullptr;
  std::uint64_t offset = 0;   ///< bytes of the chunk that were sent
  std::uint64_t walked = 0;   ///< the last frame boundary known at or before `offset`
  std::uint32_t done = 0;     ///< messages that end at or before `walked`
  std::uint32_t counted = 0;  ///< of `done`: told by `finish_chunk`, or sent before this cursor was
  bool inside = false;        ///< the frame that ends at `walked` has more frames after it

  [[nodiscard]] std::uint64_t left() const noexcept {
    return chunk == nullptr ? 0 : chunk->size() - offset;
  }
  /// The stream's index of the first message not wholly sent, as of the last `walk`.
  [[nodiscard]] std::uint64_t message() const noexcept { return chunk->first_message + done; }
  [[nodiscard]] std::uint64_t byte() const noexcept { return chunk->first_byte + offset; }

  /// Brings `walked`, `done` and `inside` up to `offset`: reads the frame headers in between.
  void walk() noexcept;
  /// Whether a command may be put in here: between messages (RFC 37, "Formal Grammar").
  [[nodiscard]] bool between_messages() noexcept {
    if (chunk == nullptr) return true;
    walk();
    return walked == offset && !inside;
  }
  /// To the end of the chunk, which has been sent whole. Returns the messages not counted yet.
  std::uint32_t finish_chunk() noexcept {
    const std::uint32_t completed = chunk->messages - counted;
    offset = walked = chunk->size();
    done = counted = chunk->messages;
    inside = !chunk->ends_message;
    return completed;
  }
  /// From the end of the chunk to the start of the next one.
  void step(Store& store) noexcept {
    Chunk* from = chunk;
    chunk = from->next;
    Store::ref(chunk);
    store.unref(from);
    offset = walked = 0;
    done = counted = 0;
  }
  void release(Store& store) noexcept {
    if (chunk != nullptr) store.unref(chunk);
    *this = Cursor{};
  }
};

/// A place of its own at the same spot.
[[nodiscard]] inline Cursor share(const Cursor& cursor) noexcept {
  if (cursor.chunk != nullptr) Store::ref(cursor.chunk);
  return cursor;
}

/// Copies the chain from `from` to its end: new chunks over the same bytes, and moves `from` onto
/// them. Returns the last chunk (null if there is none); its owner is the chain.
Chunk* privatise(Cursor& from, Store& store);

}  // namespace sluice::sink
