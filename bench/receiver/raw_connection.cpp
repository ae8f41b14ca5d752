// SPDX-License-Identifier: Apache-2.0
#include "receiver/raw_connection.hpp"

#include "core/clock.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>

namespace sluice::bench {

namespace {

constexpr std::size_t k_greeting_size = 64;
constexpr std::size_t k_command_limit = 64U << 10;
constexpr unsigned k_more = 1;
constexpr unsigned k_long = 2;
constexpr unsigned k_command = 4;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

Address parse_endpoint(const std::string& endpoint) {
  Address address;
  if (endpoint.starts_with("tcp://")) {
    const auto colon = endpoint.rfind(':');
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(colon + 1))));
    if (inet_pton(AF_INET, endpoint.substr(6, colon - 6).c_str(), &in.sin_addr) != 1) {
      throw std::runtime_error("not an IPv4 endpoint: " + endpoint);
    }
    std::memcpy(&address.storage, &in, sizeof in);
    address.size = sizeof in;
    return address;
  }
  if (endpoint.starts_with("ipc://")) {
    const auto path = endpoint.substr(6);
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    if (path.size() >= sizeof un.sun_path) throw std::runtime_error("too long: " + endpoint);
    std::memcpy(un.sun_path, path.data(), path.size());
    const bool abstract = path.starts_with('@');
    if (abstract) un.sun_path[0] = '\0';
    std::memcpy(&address.storage, &un, sizeof un);
    address.size =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (abstract ? 0 : 1));
    return address;
  }
  throw std::runtime_error("neither tcp nor ipc: " + endpoint);
}

std::string greeting() {
  std::string bytes(k_greeting_size, '\0');
  bytes[0] = '\xff';
  bytes[8] = 1;  // as libzmq writes it; older peers read it as a length
  bytes[9] = '\x7f';
  bytes[10] = 3;
  bytes.replace(12, 4, "NULL");
  return bytes;
}

std::string ready_command() {
  using namespace std::string_literals;
  return "\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03SUB"s;
}

std::string subscription(const std::string& topic) {
  std::string frame;
  frame += '\0';
  frame += static_cast<char>(topic.size() + 1);
  frame += '\1';
  return frame + topic;
}

}  // namespace

RawConnection::RawConnection(const std::string& endpoint, std::size_t subscriber,
                             std::vector<std::string> topics)
    : m_subscriber(subscriber), m_topics(std::move(topics)) {
  const Address address = parse_endpoint(endpoint);
  const int family = address.storage.ss_family;
  m_fd = core::Fd(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!m_fd) fail("socket");
  if (family == AF_INET) {
    const int on = 1;
    setsockopt(fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  sockaddr_storage storage = address.storage;
  for (;;) {
    if (connect(fd(), reinterpret_cast<sockaddr*>(&storage), address.size) == 0) return;
    if (errno == EINPROGRESS) return;
    if (errno != EAGAIN) fail("connect " + endpoint);
    // A full backlog of a UNIX socket: there is nothing to wait on but time.
    poll(nullptr, 0, 1);
  }
}

void RawConnection::finish_connect() {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  errno = error;
  if (error != 0) fail("connect");
  write_all(greeting());
  m_state = State::greeting;
}

void RawConnection::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd item{fd(), POLLOUT, 0};
      poll(&item, 1, -1);
    } else if (errno != EINTR) {
      fail("send");
    }
  }
}

void RawConnection::send_subscriptions() {
  std::string out;
  for (const auto& topic : m_topics) out += subscription(topic);
  write_all(out);
  m_topics.clear();
  m_topics.shrink_to_fit();
  m_state = State::open;
}

void RawConnection::on_ready(Tally& tally, std::span<std::byte> buffer) {
  if (m_state == State::connecting) finish_connect();
  std::copy(m_carry.begin(), m_carry.end(), buffer.begin());
  const auto carried = m_carry.size();
  const auto n = recv(fd(), buffer.data() + carried, buffer.size() - carried, 0);
  if (n == 0) throw std::runtime_error("closed by the other end");
  if (n < 0) {
    if (errno == EAGAIN || errno == EINTR) return;
    fail("recv");
  }
  const std::int64_t now_ns = core::now();
  auto in = std::span<const std::byte>(buffer.data(), carried + static_cast<std::size_t>(n));
  for (;;) {
    const auto used = parse(in, tally, now_ns);
    if (used == 0) break;
    in = in.subspan(used);
    if (in.empty()) break;
  }
  m_carry.assign(in.begin(), in.end());
}

std::size_t RawConnection::parse(std::span<const std::byte> in, Tally& tally, std::int64_t now_ns) {
  if (m_state == State::greeting) {
    if (in.size() < k_greeting_size) return 0;
    write_all(ready_command());
    m_state = State::ready;
    return k_greeting_size;
  }
  if (m_skip == 0) return parse_frame(in, tally, now_ns);
  const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(m_skip, in.size()));
  m_skip -= take;
  if (m_skip == 0 && m_counted) tally.on_message(m_subscriber, m_header, m_size, now_ns);
  return take;
}

std::size_t RawConnection::parse_frame(std::span<const std::byte> in, Tally& tally,
                                       std::int64_t now_ns) {
  if (in.size() < 2) return 0;
  const auto flags = std::to_integer<unsigned>(in[0]);
  std::size_t head = 2;
  std::uint64_t size = std::to_integer<std::uint64_t>(in[1]);
  if ((flags & k_long) != 0) {
    head = 9;
    if (in.size() < head) return 0;
    for (std::size_t i = 2; i < head; ++i)
      size = size << 8U | std::to_integer<std::uint64_t>(in[i]);
  }
  const auto body = in.subspan(head);
  if ((flags & k_command) != 0) {
    if (size > k_command_limit) throw std::runtime_error("command too long");
    if (body.size() < size) return 0;
    on_command(body.first(static_cast<std::size_t>(size)));
    return head + static_cast<std::size_t>(size);
  }
  const bool first = !m_more;
  const bool counted = first && size >= k_header_size;
  if (counted && body.size() < k_header_size) return 0;
  m_more = (flags & k_more) != 0;
  if (body.size() >= size) {
    const auto whole = static_cast<std::size_t>(size);
    if (counted) tally.on_message(m_subscriber, read_header(body.data()), whole, now_ns);
    return head + whole;
  }
  m_counted = counted;
  if (counted) m_header = read_header(body.data());
  m_size = static_cast<std::size_t>(size);
  m_skip = size - body.size();
  return in.size();
}

void RawConnection::on_command(std::span<const std::byte> body) {
  if (body.empty()) return;
  const auto length = std::to_integer<std::size_t>(body[0]);
  if (body.size() < 1 + length) throw std::runtime_error("malformed command");
  const std::string name(reinterpret_cast<const char*>(body.data()) + 1, length);
  if (name == "READY" && m_state == State::ready) {
    send_subscriptions();
  } else if (name == "ERROR") {
    throw std::runtime_error("refused by the other end");
  } else if (name == "PING" && body.size() >= 7) {
    const auto context = body.subspan(7);
    std::string pong = "\x04";
    pong += static_cast<char>(5 + context.size());
    pong += "\x04PONG";
    pong.append(reinterpret_cast<const char*>(context.data()), context.size());
    write_all(pong);
  }
}

}  // namespace sluice::bench
