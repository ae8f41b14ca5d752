// SPDX-License-Identifier: Apache-2.0
#include "config/admin_address.hpp"

#include "config/text.hpp"
#include "config/value.hpp"

#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <netinet/in.h>

namespace sluice::config {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw BadValue("http = " + printable(std::string(text)) + ": " + why +
                 "; write 127.0.0.1:9464, [::1]:9464 or a port alone");
}

bool is_numeric(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

}  // namespace

bool AdminAddress::is_loopback() const noexcept {
  return host == "::1" || host.starts_with("127.");
}

AdminAddress parse_admin_address(std::string_view text) {
  AdminAddress address;
  std::string_view port = text;
  address.host = "127.0.0.1";
  if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    port = text.substr(colon + 1);
    std::string_view host = text.substr(0, colon);
    const bool bracketed = host.starts_with('[') && host.ends_with(']');
    if (bracketed) host = host.substr(1, host.size() - 2);
    if (!bracketed && host.find(':') != std::string_view::npos) {
      refuse(text, "an IPv6 address needs brackets");
    }
    address.host = host == "localhost" ? "127.0.0.1" : std::string(host);
    if (!is_numeric(address.host)) refuse(text, "the address is not numeric");
  }
  if (port == "*") return address;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc{} || end != port.data() + port.size() || address.port == 0) {
    refuse(text, "the port is not 1 to 65535 or *");
  }
  return address;
}

}  // namespace sluice::config
