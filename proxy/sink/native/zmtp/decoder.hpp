// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/zmtp/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::zmtp {

enum class DecodeStatus : std::uint8_t {
  frame,      ///< one whole frame
  need_more,  ///< all input is consumed, a frame may have begun
  oversize,   ///< the frame announces more than the limit
  bad_flags,  ///< reserved bits, or MORE on a command (RFC 37, "Framing")
};

struct Decoded {
  DecodeStatus status = DecodeStatus::need_more;
  std::uint8_t flags = 0;
  Bytes body;  ///< valid until the next call and as long as the input
};

/// Cuts a byte stream into frames. Frames that lie whole in the input are not copied; of a broken
/// one only what has arrived is kept, so an idle peer costs nothing and one that announces a large
/// frame gets no memory before it sends it. Used by one thread.
class Decoder {
 public:
  explicit Decoder(std::uint64_t max_body) noexcept : m_max_body(max_body) {}

  /// Takes the next frame from `input`, which shrinks by what was consumed. After `oversize` or
  /// `bad_flags` the stream is beyond repair.
  [[nodiscard]] Decoded next(Bytes& input);
  /// Bytes of an unfinished frame that are kept.
  [[nodiscard]] std::size_t held() const noexcept { return m_held.size(); }

 private:
  [[nodiscard]] DecodeStatus check(const FrameHeader& header) const noexcept;
  void hold(Bytes& input, std::size_t count);

  std::uint64_t m_max_body;
  std::vector<std::byte> m_held;
  bool m_delivered = false;  ///< `m_held` is the body returned last
};

}  // namespace sluice::zmtp
