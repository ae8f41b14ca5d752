// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zmq.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sluice::core {

/// Owner of one zmq_msg_t. Always initialised; empty after a successful send or a move.
class Frame {
 public:
  Frame() noexcept { zmq_msg_init(&m_msg); }
  ~Frame() { zmq_msg_close(&m_msg); }
  Frame(Frame&& other) noexcept : Frame() { zmq_msg_move(&m_msg, &other.m_msg); }
  Frame& operator=(Frame&& other) noexcept {
    if (this != &other) zmq_msg_move(&m_msg, &other.m_msg);
    return *this;
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  /// A second owner of the same bytes (counted reference; up to 33 bytes are copied).
  [[nodiscard]] Frame share() noexcept {
    Frame copy;
    zmq_msg_copy(&copy.m_msg, &m_msg);
    return copy;
  }
  [[nodiscard]] std::size_t size() const noexcept { return zmq_msg_size(&m_msg); }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(zmq_msg_data(raw_const())), size()};
  }
  [[nodiscard]] bool more() const noexcept { return zmq_msg_more(&m_msg) != 0; }
  [[nodiscard]] zmq_msg_t* raw() noexcept { return &m_msg; }

 private:
  // zmq_msg_data takes a pointer to non-const and changes nothing.
  [[nodiscard]] zmq_msg_t* raw_const() const noexcept { return const_cast<zmq_msg_t*>(&m_msg); }

  zmq_msg_t m_msg;
};

/// One whole message: its frames in order. Reused for message after message without allocating.
class Message {
 public:
  Message() { m_frames.resize(1); }

  [[nodiscard]] bool empty() const noexcept { return m_count == 0; }
  [[nodiscard]] std::size_t frames() const noexcept { return m_count; }
  [[nodiscard]] Frame& frame(std::size_t i) noexcept { return m_frames[i]; }
  [[nodiscard]] const Frame& frame(std::size_t i) const noexcept { return m_frames[i]; }
  /// Payload bytes of all frames, as they were when pushed.
  [[nodiscard]] std::uint64_t size() const noexcept { return m_bytes; }
  /// The frame after the last one, to be filled in place; call `push` when it is.
  [[nodiscard]] Frame& next() {
    if (m_count == m_frames.size()) m_frames.emplace_back();
    return m_frames[m_count];
  }
  void push() noexcept { push(m_frames[m_count].size()); }
  /// The same for a caller who knows the frame's size.
  void push(std::size_t bytes) noexcept {
    m_bytes += bytes;
    ++m_count;
  }
  /// Empties the message; frames that still hold bytes release them.
  void clear() noexcept {
    for (std::size_t i = 0; i < m_count; ++i) m_frames[i] = Frame{};
    reset();
  }
  /// As `clear`, but a small single frame may keep its bytes until it is filled again, which
  /// spares four calls into libzmq for each message.
  void recycle() noexcept {
    if (m_count == 1 && m_bytes <= k_keep) {
      reset();
    } else {
      clear();
    }
  }

 private:
  static constexpr std::uint64_t k_keep = 64U << 10;

  void reset() noexcept {
    m_count = 0;
    m_bytes = 0;
  }

  std::vector<Frame> m_frames;
  std::size_t m_count = 0;
  std::uint64_t m_bytes = 0;
};

}  // namespace sluice::core
