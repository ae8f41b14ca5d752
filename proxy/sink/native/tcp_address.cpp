// SPDX-License-Identifier: Apache-2.0
#include "sink/native/tcp_address.hpp"

#include <sluice/error.hpp>

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netinet/in.h>

namespace sluice::sink {
namespace {

constexpr std::string_view k_scheme = "tcp://";

TcpAddress ipv4(in_addr host, std::uint16_t port) noexcept {
  TcpAddress address;
  sockaddr_in in{};
  in.sin_family = AF_INET;
  in.sin_addr = host;
  in.sin_port = htons(port);
  std::memcpy(&address.storage, &in, sizeof in);
  address.length = sizeof in;
  return address;
}

TcpAddress ipv6(in6_addr host, std::uint16_t port, std::uint32_t scope) noexcept {
  TcpAddress address;
  sockaddr_in6 in{};
  in.sin6_family = AF_INET6;
  in.sin6_addr = host;
  in.sin6_port = htons(port);
  in.sin6_scope_id = scope;
  std::memcpy(&address.storage, &in, sizeof in);
  address.length = sizeof in;
  return address;
}

bool parse_port(std::string_view text, std::uint16_t& port) noexcept {
  if (text == "*") text = "0";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_ipv6(std::string host, std::uint16_t port, TcpAddress& address) {
  std::uint32_t scope = 0;
  if (const auto percent = host.find('%'); percent != std::string::npos) {
    const std::string zone = host.substr(percent + 1);
    scope = ::if_nametoindex(zone.c_str());
    if (scope == 0) std::from_chars(zone.data(), zone.data() + zone.size(), scope);
    if (scope == 0) return false;
    host.resize(percent);
  }
  in6_addr in{};
  if (::inet_pton(AF_INET6, host.c_str(), &in) != 1) return false;
  address = ipv6(in, port, scope);
  return true;
}

bool find_interface(const std::string& name, std::uint16_t port, TcpAddress& address) {
  ifaddrs* raw = nullptr;
  if (::getifaddrs(&raw) != 0) return false;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> list{raw, &::freeifaddrs};
  bool found = false;
  for (const ifaddrs* i = list.get(); i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr || name != i->ifa_name) continue;
    if (i->ifa_addr->sa_family == AF_INET) {
      sockaddr_in in{};
      std::memcpy(&in, i->ifa_addr, sizeof in);
      address = ipv4(in.sin_addr, port);
      return true;
    }
    if (i->ifa_addr->sa_family == AF_INET6 && !found) {
      sockaddr_in6 in{};
      std::memcpy(&in, i->ifa_addr, sizeof in);
      address = ipv6(in.sin6_addr, port, in.sin6_scope_id);
      found = true;
    }
  }
  return found;
}

}  // namespace

TcpAddress resolve_tcp(const std::string& endpoint) {
  std::string_view rest = endpoint;
  if (rest.starts_with(k_scheme)) rest.remove_prefix(k_scheme.size());
  const auto colon = rest.rfind(':');
  if (colon == std::string_view::npos) {
    throw EndpointError(endpoint, EINVAL, "a port is missing (tcp://HOST:PORT)");
  }
  std::uint16_t port = 0;
  if (!parse_port(rest.substr(colon + 1), port)) {
    throw EndpointError(
        endpoint, EINVAL,
        "\"" + std::string{rest.substr(colon + 1)} + "\" is not a port (1 to 65535, or * for any)");
  }
  std::string host{rest.substr(0, colon)};
  TcpAddress address;
  in_addr in{};
  if (host == "*") return ipv4(in, port);
  if (host == "localhost") {
    in.s_addr = htonl(INADDR_LOOPBACK);
    return ipv4(in, port);
  }
  if (::inet_pton(AF_INET, host.c_str(), &in) == 1) return ipv4(in, port);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  if (parse_ipv6(host, port, address) || find_interface(host, port, address)) return address;
  throw EndpointError(endpoint, ENODEV,
                      "\"" + host +
                          "\" is neither an IPv4 address, an IPv6 address in brackets, the name of "
                          "a network interface with an address, localhost nor *");
}

std::string tcp_text(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN + 1> text{};
  if (address.ss_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    ::inet_ntop(AF_INET, &in.sin_addr, text.data(), text.size());
    return "tcp://" + std::string{text.data()} + ":" + std::to_string(ntohs(in.sin_port));
  }
  sockaddr_in6 in{};
  std::memcpy(&in, &address, sizeof in);
  ::inet_ntop(AF_INET6, &in.sin6_addr, text.data(), text.size());
  std::string host = text.data();
  std::array<char, IF_NAMESIZE> zone{};
  if (in.sin6_scope_id != 0 && ::if_indextoname(in.sin6_scope_id, zone.data()) != nullptr) {
    host += "%" + std::string{zone.data()};
  }
  return "tcp://[" + host + "]:" + std::to_string(ntohs(in.sin6_port));
}

}  // namespace sluice::sink
