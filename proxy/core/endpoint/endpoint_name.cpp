// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/endpoint_name.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

constexpr std::string_view k_separator = "://";

std::string lower(std::string_view text) {
  std::string result{text};
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

std::string_view scheme_of(std::string_view endpoint) noexcept {
  const auto at = endpoint.find(k_separator);
  return at == std::string_view::npos ? std::string_view{} : endpoint.substr(0, at);
}

}  // namespace

std::string_view address_of(std::string_view endpoint) noexcept {
  const auto at = endpoint.find(k_separator);
  return at == std::string_view::npos ? std::string_view{}
                                      : endpoint.substr(at + k_separator.size());
}

Transport transport_of(std::string_view endpoint) noexcept {
  const auto scheme = scheme_of(endpoint);
  if (scheme.size() == 6 && lower(scheme) == "inproc") return Transport::inproc;
  if (scheme.size() == 3 && lower(scheme) == "ipc") return Transport::ipc;
  if (scheme.size() == 3 && lower(scheme) == "tcp") return Transport::tcp;
  return Transport::other;
}

std::string normalised(std::string_view endpoint) {
  std::string address{address_of(endpoint)};
  switch (transport_of(endpoint)) {
    case Transport::inproc:
      return "inproc://" + address;
    case Transport::ipc:
      if (!address.starts_with('@')) {
        address.erase(std::unique(address.begin(), address.end(),
                                  [](char a, char b) { return a == '/' && b == '/'; }),
                      address.end());
      }
      return "ipc://" + address;
    case Transport::tcp:
      if (address.ends_with('/')) address.pop_back();
      return "tcp://" + lower(address);
    case Transport::other:
      break;
  }
  return std::string{endpoint};
}

bool needs_ipv6(std::string_view endpoint) noexcept {
  return transport_of(endpoint) == Transport::tcp && endpoint.find('[') != std::string_view::npos;
}

}  // namespace sluice::core
