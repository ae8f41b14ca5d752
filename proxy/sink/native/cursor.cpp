// SPDX-License-Identifier: Apache-2.0
#include "sink/native/cursor.hpp"

#include "sink/native/zmtp/frame.hpp"

namespace sluice::sink {

void Cursor::walk() noexcept {
  while (walked < offset) {
    const std::byte* at = chunk->segment->bytes.get() + chunk->offset + walked;
    const zmtp::FrameHeader header = zmtp::read_header({at, chunk->length - walked});
    const std::uint64_t end = walked + header.length + header.size;
    if (header.length == 0 || end > offset) return;
    walked = end;
    inside = (header.flags & zmtp::k_more) != 0;
    if (!inside) ++done;
  }
}

Chunk* privatise(Cursor& from, Store& store) {
  Chunk* first = nullptr;
  Chunk* last = nullptr;
  for (const Chunk* old = from.chunk; old != nullptr; old = old->next) {
    Chunk* copy = store.make_chunk(old->segment, old->payload);
    copy->first_message = old->first_message;
    copy->first_byte = old->first_byte;
    copy->queued_at = old->queued_at;
    copy->offset = old->offset;
    copy->length = old->length;
    copy->messages = old->messages;
    copy->ends_message = old->ends_message;
    if (last == nullptr) {
      first = copy;  // its one reference becomes the cursor's
    } else {
      last->next = copy;
    }
    last = copy;
  }
  if (first != nullptr) {
    store.unref(from.chunk);
    from.chunk = first;
  }
  return last;
}

}  // namespace sluice::sink
