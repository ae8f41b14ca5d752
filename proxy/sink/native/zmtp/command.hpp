// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sink/native/zmtp/frame.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::zmtp {

/// RFC 37, "Formal Grammar": command-body = command-name command-data.
struct Command {
  std::string_view name;
  Bytes data;
};

/// Nothing when the body is malformed (no name, or shorter than its name).
[[nodiscard]] std::optional<Command> parse_command(Bytes body) noexcept;

/// RFC 37, "Connection Heartbeating".
inline constexpr std::size_t k_ping_context_max = 16;
struct Ping {
  std::uint16_t ttl_tenths = 0;  ///< 0 = none
  Bytes context;                 ///< cut to 16 octets
};
[[nodiscard]] std::optional<Ping> parse_ping(Bytes data) noexcept;

enum class MetadataStatus : std::uint8_t { ok, malformed };

/// Walks the properties of a READY command (RFC 37, "The NULL Security Mechanism"); `find` names
/// the one wanted, compared without regard to case, and `value` gets it (empty if absent).
[[nodiscard]] MetadataStatus find_property(Bytes metadata, std::string_view find,
                                           Bytes& value) noexcept;

/// Whole frames, appended to `out`.
void append_command(std::string& out, std::string_view name, Bytes data);
/// READY with Socket-Type XPUB.
void append_ready(std::string& out);
/// RFC 37, "The Socket-Type Property": a peer of the wrong type SHOULD get an ERROR.
void append_error(std::string& out, std::string_view reason);
/// PING without TTL and context.
void append_ping(std::string& out);
void append_pong(std::string& out, Bytes context);

[[nodiscard]] inline std::string_view as_text(Bytes bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
[[nodiscard]] inline Bytes as_bytes(std::string_view text) noexcept {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace sluice::zmtp
