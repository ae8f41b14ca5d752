// SPDX-License-Identifier: Apache-2.0
#include "sink/native/zmtp/command.hpp"

#include <algorithm>
#include <array>

namespace sluice::zmtp {
namespace {

constexpr std::size_t k_ttl_size = 2;
constexpr std::size_t k_value_length = 4;
constexpr std::uint32_t k_value_max = 0x7FFFFFFF;

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

void append_property(std::string& out, std::string_view name, std::string_view value) {
  out.push_back(static_cast<char>(name.size()));
  out.append(name);
  const auto size = static_cast<std::uint32_t>(value.size());
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    out.push_back(static_cast<char>((size >> shift) & 0xFFU));
  }
  out.append(value);
}

}  // namespace

std::optional<Command> parse_command(Bytes body) noexcept {
  if (body.empty()) return std::nullopt;
  const auto name_size = std::to_integer<std::size_t>(body[0]);
  if (name_size == 0 || name_size > body.size() - 1) return std::nullopt;
  return Command{as_text(body.subspan(1, name_size)), body.subspan(1 + name_size)};
}

std::optional<Ping> parse_ping(Bytes data) noexcept {
  if (data.size() < k_ttl_size) return std::nullopt;
  const auto ttl = static_cast<std::uint16_t>(std::to_integer<unsigned>(data[0]) << 8U |
                                              std::to_integer<unsigned>(data[1]));
  const Bytes context = data.subspan(k_ttl_size);
  return Ping{ttl, context.first(std::min(context.size(), k_ping_context_max))};
}

MetadataStatus find_property(Bytes metadata, std::string_view find, Bytes& value) noexcept {
  value = {};
  while (!metadata.empty()) {
    const auto name_size = std::to_integer<std::size_t>(metadata[0]);
    if (name_size == 0 || metadata.size() - 1 < name_size + k_value_length) {
      return MetadataStatus::malformed;
    }
    const std::string_view name = as_text(metadata.subspan(1, name_size));
    metadata = metadata.subspan(1 + name_size);
    std::uint32_t size = 0;
    for (std::size_t i = 0; i < k_value_length; ++i) {
      size = size << 8U | std::to_integer<std::uint32_t>(metadata[i]);
    }
    metadata = metadata.subspan(k_value_length);
    if (size > k_value_max || size > metadata.size()) return MetadataStatus::malformed;
    if (same_name(name, find)) value = metadata.first(size);
    metadata = metadata.subspan(size);
  }
  return MetadataStatus::ok;
}

void append_command(std::string& out, std::string_view name, Bytes data) {
  std::array<std::byte, k_long_header> header{};
  const std::size_t length = write_header(header.data(), k_command, 1 + name.size() + data.size());
  out.append(as_text(Bytes{header}.first(length)));
  out.push_back(static_cast<char>(name.size()));
  out.append(name);
  out.append(as_text(data));
}

void append_ready(std::string& out) {
  std::string metadata;
  append_property(metadata, "Socket-Type", "XPUB");
  append_command(out, "READY", as_bytes(metadata));
}

void append_error(std::string& out, std::string_view reason) {
  std::string data;
  data.push_back(static_cast<char>(std::min<std::size_t>(reason.size(), 255)));
  data.append(reason.substr(0, 255));
  append_command(out, "ERROR", as_bytes(data));
}

void append_ping(std::string& out) {
  constexpr std::array<std::byte, k_ttl_size> k_no_ttl{};
  append_command(out, "PING", k_no_ttl);
}

void append_pong(std::string& out, Bytes context) {
  append_command(out, "PONG", context);
}

}  // namespace sluice::zmtp
