// SPDX-License-Identifier: Apache-2.0
#include "config/endpoint.hpp"

#include "config/text.hpp"
#include "config/value.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <filesystem>
#include <net/if.h>

namespace sluice::config {
namespace {

constexpr auto k_transports = std::to_array<std::string_view>({"tcp", "ipc"});
constexpr auto k_other_transports =
    std::to_array<std::string_view>({"udp", "pgm", "epgm", "norm", "tipc", "vmci", "ws", "wss"});
constexpr std::string_view k_bind_forms =
    "a bind takes *, an IPv4 address, an IPv6 address in [ ] or an interface's name";

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw BadValue(printable(text) + ": " + why);
}

bool is_ipv4(const std::string& host) {
  in_addr address{};
  return inet_pton(AF_INET, host.c_str(), &address) == 1;
}

bool is_ipv6(const std::string& host) {
  in6_addr address{};
  return inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), &address) == 1;
}

bool is_host_name(std::string_view host) {
  return host.size() <= 253 && std::all_of(host.begin(), host.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '.' || c == '_' || c == ':';
         });
}

bool looks_numeric(std::string_view host) {
  return std::all_of(host.begin(), host.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

void check_host(std::string_view text, const Endpoint& e, EndpointUse use) {
  const bool any = e.host == "*" || e.host == "0.0.0.0" || (e.bracketed && e.host == "::");
  if (any) {
    if (use == EndpointUse::bind) return;
    refuse(text, "a connect needs a host; " + e.host +
                     " is every address of this machine, for bind"
                     " only");
  }
  if (e.bracketed) {
    if (!is_ipv6(e.host)) refuse(text, "[" + e.host + "] is no IPv6 address");
    return;
  }
  if (e.host.empty()) refuse(text, "the host is missing; write tcp://host:port");
  if (is_ipv4(e.host)) return;
  if (is_ipv6(e.host))
    refuse(text, "an IPv6 address goes in brackets: tcp://[" + e.host + "]:port");
  if (!is_host_name(e.host)) refuse(text, "'" + printable(e.host) + "' is no host name");
  if (looks_numeric(e.host)) refuse(text, "'" + e.host + "' is no IPv4 address");
  if (use == EndpointUse::connect) return;
  if (e.host == "localhost") {
    refuse(text, "'localhost' is a host name; " + std::string(k_bind_forms) +
                     ": write tcp://127.0.0.1:port");
  }
  if (e.host.size() >= IFNAMSIZ) {
    refuse(text, "'" + e.host + "' is a host name; " + std::string(k_bind_forms));
  }
}

int parse_port(std::string_view text, std::string_view port, EndpointUse use) {
  if (port == "*") {
    if (use == EndpointUse::bind) return 0;
    refuse(text, "a connect needs a port from 1 to 65535");
  }
  int value = 0;
  const bool digits =
      !port.empty() && port.size() <= 5 && std::all_of(port.begin(), port.end(), [&value](char c) {
        value = value * 10 + (c - '0');
        return c >= '0' && c <= '9';
      });
  const int least = use == EndpointUse::bind ? 0 : 1;
  if (!digits || value < least || value > 65'535) {
    refuse(text, "port '" + printable(port) + "' is not 1 to 65535" +
                     (use == EndpointUse::bind ? " or * (the system chooses)" : ""));
  }
  return value;
}

Endpoint parse_tcp(std::string_view text, std::string_view address, EndpointUse use) {
  Endpoint e;
  const std::size_t source = address.find(';');
  if (source != std::string_view::npos) {
    if (use == EndpointUse::bind) refuse(text, "only a connect has a source address before ;");
    e.source = address.substr(0, source);
    address.remove_prefix(source + 1);
    if (e.source.empty()) refuse(text, "the source address before ; is missing");
    if (!is_host_name(e.source) && e.source.find_first_of("*[]") == std::string::npos) {
      refuse(text, "'" + printable(e.source) + "' is no source address");
    }
  }
  const std::size_t colon = address.rfind(':');
  const std::size_t bracket = address.rfind(']');
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) {
    refuse(text, "the port is missing; write tcp://host:port");
  }
  e.host = address.substr(0, colon);
  if (e.host.starts_with('[') && e.host.ends_with(']')) {
    e.bracketed = true;
    e.host = e.host.substr(1, e.host.size() - 2);
  }
  check_host(text, e, use);
  e.port = parse_port(text, address.substr(colon + 1), use);
  return e;
}

Endpoint parse_ipc(std::string_view text, std::string_view path, const std::string& directory) {
  Endpoint e;
  e.transport = Transport::ipc;
  if (path.empty()) refuse(text, "the path is missing; write ipc:///run/name.sock");
  if (path == "*") refuse(text, "a path is needed; nobody would know the one chosen for ipc://*");
  if (path == "@") refuse(text, "an abstract name is missing behind the @");
  if (path.front() == '@') {
    e.path = path;
  } else {
    const std::filesystem::path base =
        directory.empty() ? std::filesystem::current_path() : std::filesystem::path(directory);
    e.path = (base / std::filesystem::path(path)).lexically_normal().string();
    if (e.path.ends_with('/')) refuse(text, "a file is needed, not a folder");
  }
  if (e.path.size() > k_longest_ipc_path) {
    refuse(text, "the path " + printable(e.path) + " has " + std::to_string(e.path.size()) +
                     " bytes; an ipc path may have " + std::to_string(k_longest_ipc_path));
  }
  return e;
}

}  // namespace

std::string Endpoint::text() const {
  if (transport == Transport::ipc) return "ipc://" + path;
  std::string out = "tcp://";
  if (!source.empty()) out += source + ";";
  out += bracketed ? "[" + host + "]" : host;
  return out + ":" + (port == 0 ? "*" : std::to_string(port));
}

Endpoint parse_endpoint(std::string_view text, EndpointUse use, const std::string& directory) {
  if (text.find('\0') != std::string_view::npos) refuse(text, "a zero byte in an endpoint");
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) {
    refuse(text, text.starts_with('/')
                     ? "the transport is missing; did you mean ipc://" + printable(text) + "?"
                     : "the transport is missing; write tcp://host:port or ipc://path");
  }
  const std::string_view transport = text.substr(0, colon);
  const std::string_view address = text.substr(colon + 3);
  if (transport == "tcp") return parse_tcp(text, address, use);
  if (transport == "ipc") return parse_ipc(text, address, directory);
  if (transport == "inproc") {
    refuse(text,
           "nothing outside of this process can reach an inproc name: it is for programs that "
           "embed the library; here write [generator] or [plugin], which attach by themselves");
  }
  const bool other = std::find(k_other_transports.begin(), k_other_transports.end(), transport) !=
                     k_other_transports.end();
  refuse(text,
         "transport '" + printable(transport) + "' is not " +
             (other ? "offered; there are tcp and ipc"
                    : "known; there are tcp and ipc" + did_you_mean(transport, k_transports)));
}

bool overlap(const Endpoint& a, const Endpoint& b) noexcept {
  if (a.transport != b.transport) return false;
  if (a.transport == Transport::ipc) return a.path == b.path;
  if (a.port != b.port || a.port == 0) return false;
  const auto any = [](const Endpoint& e) { return e.host == "*" || e.host == "0.0.0.0"; };
  const bool any_a = any(a) && !b.bracketed;
  const bool any_b = any(b) && !a.bracketed;
  return a.host == b.host || any_a || any_b;
}

}  // namespace sluice::config
