// SPDX-License-Identifier: Apache-2.0
#include "receivers.hpp"

#include "core/base/clock.hpp"
#include "receiver/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>

extern char** environ;

namespace sluice::bench {

namespace {

constexpr std::size_t k_message_limit = 256U << 10;

pid_t spawn(const std::vector<std::string>& words, int control_fd) {
  std::vector<std::string> text{"sluice-bench", k_receiver_word};
  text.insert(text.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (auto& word : text) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, control_fd, k_receiver_control_fd);
  pid_t process = -1;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &none);
  const int error =
      posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), "posix_spawn");
  return process;
}

}  // namespace

Receivers::Receivers(const ReceiverOptions& options) {
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  m_control = core::Fd(pair[0]);
  const core::Fd theirs(pair[1]);
  m_process = spawn(to_arguments(options), theirs.get());
}

Receivers::~Receivers() {
  // It ends when it finds the control socket closed.
  m_control.reset();
  while (waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string Receivers::expect(const std::string& word, std::chrono::milliseconds timeout) {
  pollfd item{m_control.get(), POLLIN, 0};
  const auto end = core::now() + core::to_ns(timeout);
  for (;;) {
    const auto left = (end - core::now()) / core::k_millisecond;
    if (left <= 0) throw std::runtime_error("receiver: no \"" + word + "\" in time");
    if (poll(&item, 1, static_cast<int>(left)) > 0) break;
  }
  std::string text(k_message_limit, '\0');
  const auto n = recv(m_control.get(), text.data(), text.size(), 0);
  if (n <= 0) throw std::runtime_error("receiver: ended");
  text.resize(static_cast<std::size_t>(n));
  if (!text.starts_with(word)) throw std::runtime_error("receiver: " + text);
  return text.substr(word.size());
}

void Receivers::wait_connected(std::chrono::milliseconds timeout) {
  expect("connected", timeout);
}

void Receivers::wait_ready(std::chrono::milliseconds timeout) {
  expect("ready", timeout);
}

void Receivers::wait_round(std::chrono::milliseconds timeout) {
  expect("round", timeout);
}

Report Receivers::finish(const std::vector<std::uint64_t>& sent,
                         std::chrono::milliseconds timeout) {
  std::string text = "finish";
  for (const auto count : sent) text += ' ' + std::to_string(count);
  if (send(m_control.get(), text.data(), text.size(), MSG_NOSIGNAL) < 0) {
    throw std::runtime_error("receiver: ended");
  }
  std::istringstream in(expect("report", timeout));
  Report report;
  std::string buckets;
  in >> report.messages >> report.bytes >> report.disorder >> report.last_ns;
  std::getline(in, buckets);
  for (Histogram* histogram : {&report.latency, &report.first, &report.last}) {
    if (!std::getline(in, buckets) || !histogram->parse(buckets)) {
      throw std::runtime_error("receiver: bad report");
    }
  }
  return report;
}

}  // namespace sluice::bench
