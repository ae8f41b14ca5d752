// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice::zmtp {

using Bytes = std::span<const std::byte>;

/// RFC 37, "Formal Grammar": signature (10), version (2), mechanism (20), as-server (1), filler.
inline constexpr std::size_t k_greeting_size = 64;
inline constexpr std::uint8_t k_version_major = 3;
inline constexpr std::uint8_t k_version_minor = 1;

using Greeting = std::array<std::byte, k_greeting_size>;

/// Ours: ZMTP 3.1, NULL mechanism, as-server 0 (RFC 37, "The NULL Security Mechanism").
[[nodiscard]] Greeting make_greeting() noexcept;

enum class GreetingVerdict : std::uint8_t {
  incomplete,
  accepted,
  bad_signature,    ///< not ZMTP, or ZMTP 1.0 (which has no signature)
  old_version,      ///< major version below 3
  other_mechanism,  ///< not NULL: RFC 37, "Authentication and Confidentiality": MUST close
};

struct GreetingCheck {
  GreetingVerdict verdict = GreetingVerdict::incomplete;
  std::uint8_t major = 0;  ///< as far as received
  std::uint8_t minor = 0;
};

/// Judges the greeting from its first bytes, `received` being everything so far (at most the first
/// 64 bytes are looked at). A refusal comes with the first byte that settles it, because libzmq
/// sends its greeting in steps and an old peer never sends all 64. The padding, the as-server field
/// and the filler are not looked at (RFC 37, "Version Negotiation"); higher versions are accepted.
[[nodiscard]] GreetingCheck check_greeting(Bytes received) noexcept;

}  // namespace sluice::zmtp
