// SPDX-License-Identifier: Apache-2.0
#include "address.hpp"
#include "connect/newcomer.hpp"
#include "core/base/clock.hpp"
#include "receiver/zmtp_words.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/time.h>
#include <time.h>

namespace sluice::bench {

namespace {

constexpr time_t k_patience_s = 10;
constexpr std::size_t k_read_size = 64U << 10;
constexpr long k_interval_ns = 10'000'000;

/// Blocking reads of frames, and writes.
class Talk {
 public:
  Talk(core::Fd fd, bool timed) : m_fd(std::move(fd)), m_timed(timed) {}

  void say(const std::string& bytes) {
    if (send(m_fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(bytes.size())) {
      fail("send");
    }
  }
  void skip(std::size_t size) {
    need(size);
    m_in.erase(0, size);
  }
  /// Reads one frame away; true for a command.
  bool skip_frame() {
    need(2);
    const auto flags = static_cast<unsigned char>(m_in[0]);
    std::size_t head = 2;
    std::size_t size = static_cast<unsigned char>(m_in[1]);
    if ((flags & k_zmtp_long) != 0) {
      head = 9;
      need(head);
      for (std::size_t i = 2; i < head; ++i) {
        size = size << 8U | static_cast<unsigned char>(m_in[i]);
      }
    }
    skip(head + size);
    return (flags & k_zmtp_command) != 0;
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
  }
  void need(std::size_t size) {
    while (m_in.size() < size) {
      const auto had = m_in.size();
      m_in.resize(had + k_read_size);
      const auto n = recv(m_fd.get(), m_in.data() + had, k_read_size, m_timed ? MSG_DONTWAIT : 0);
      m_in.resize(had + static_cast<std::size_t>(n > 0 ? n : 0));
      if (n == 0) throw std::runtime_error("closed by the other end");
      if (n < 0 && errno == EAGAIN && m_timed) {
        const timespec interval{0, k_interval_ns};
        nanosleep(&interval, nullptr);
      } else if (n < 0 && errno != EINTR) {
        fail("recv");
      }
    }
  }

  core::Fd m_fd;
  bool m_timed;
  std::string m_in;
};

Steps newcomer(const std::string& endpoint, const std::string& topic, bool timed) {
  Steps steps;
  const Address address = parse_endpoint(endpoint);
  const auto begin = core::now();
  core::Fd fd(socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{k_patience_s, 0};
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  set_nodelay(fd.get(), true);
  const auto created = core::now();
  if (connect(fd.get(), address.get(), address.size) != 0) {
    throw std::runtime_error("connect " + endpoint + ": " + std::strerror(errno));
  }
  std::int64_t ready = 0;
  std::int64_t first = 0;
  {
    Talk talk(std::move(fd), timed);
    talk.say(zmtp_greeting());
    talk.skip(k_zmtp_greeting_size);
    talk.say(zmtp_ready());
    talk.skip_frame();
    ready = core::now();
    talk.say(zmtp_subscription(topic));
    while (talk.skip_frame()) {
    }
    first = core::now();
  }
  const auto closed = core::now();
  steps.create = created - begin;
  steps.connect = ready - created;
  steps.first = first - ready;
  steps.close = closed - first;
  return steps;
}

}  // namespace

Steps raw_newcomer(const std::string& endpoint, const std::string& topic) {
  return newcomer(endpoint, topic, false);
}

Steps timed_newcomer(const std::string& endpoint, const std::string& topic) {
  return newcomer(endpoint, topic, true);
}

}  // namespace sluice::bench
