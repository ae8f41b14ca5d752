// SPDX-License-Identifier: Apache-2.0
#include "sink/native/zmtp/greeting.hpp"

#include <algorithm>
#include <string_view>

namespace sluice::zmtp {
namespace {

constexpr std::byte k_signature_first{0xFF};
constexpr std::byte k_signature_last{0x7F};
constexpr std::size_t k_signature_end = 9;
constexpr std::size_t k_major_at = 10;
constexpr std::size_t k_minor_at = 11;
constexpr std::size_t k_mechanism_at = 12;
constexpr std::size_t k_mechanism_size = 20;
constexpr std::string_view k_null = "NULL";

/// The mechanism's octet `i`: the name, padded with zeros.
constexpr std::byte mechanism_octet(std::size_t i) noexcept {
  return i < k_null.size() ? static_cast<std::byte>(k_null[i]) : std::byte{0};
}

}  // namespace

Greeting make_greeting() noexcept {
  Greeting greeting{};
  greeting[0] = k_signature_first;
  greeting[k_signature_end] = k_signature_last;
  greeting[k_major_at] = std::byte{k_version_major};
  greeting[k_minor_at] = std::byte{k_version_minor};
  for (std::size_t i = 0; i < k_mechanism_size; ++i) {
    greeting[k_mechanism_at + i] = mechanism_octet(i);
  }
  return greeting;
}

GreetingCheck check_greeting(Bytes received) noexcept {
  GreetingCheck check;
  const std::size_t size = std::min(received.size(), k_greeting_size);
  const auto refuse = [&check](GreetingVerdict verdict) {
    check.verdict = verdict;
    return check;
  };
  if (size > 0 && received[0] != k_signature_first) return refuse(GreetingVerdict::bad_signature);
  if (size > k_signature_end && received[k_signature_end] != k_signature_last) {
    return refuse(GreetingVerdict::bad_signature);
  }
  if (size > k_major_at) {
    check.major = std::to_integer<std::uint8_t>(received[k_major_at]);
    if (check.major < k_version_major) return refuse(GreetingVerdict::old_version);
  }
  if (size > k_minor_at) check.minor = std::to_integer<std::uint8_t>(received[k_minor_at]);
  for (std::size_t i = 0; i < k_mechanism_size && k_mechanism_at + i < size; ++i) {
    if (received[k_mechanism_at + i] != mechanism_octet(i)) {
      return refuse(GreetingVerdict::other_mechanism);
    }
  }
  if (size == k_greeting_size) check.verdict = GreetingVerdict::accepted;
  return check;
}

}  // namespace sluice::zmtp
