// SPDX-License-Identifier: Apache-2.0
#include "app/process/signals.hpp"

#include <cerrno>
#include <csignal>
#include <sys/signalfd.h>
#include <system_error>

namespace sluice::app {

Signals::Signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) sigaddset(&set, number);
  const int error = pthread_sigmask(SIG_BLOCK, &set, nullptr);
  if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_sigmask");
  std::signal(SIGPIPE, SIG_IGN);
  m_fd = core::Fd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!m_fd) throw std::system_error(errno, std::generic_category(), "signalfd");
}

std::optional<int> Signals::next() noexcept {
  signalfd_siginfo info{};
  ssize_t size = 0;
  do {
    size = ::read(m_fd.get(), &info, sizeof info);
  } while (size < 0 && errno == EINTR);
  if (size != static_cast<ssize_t>(sizeof info)) return {};
  return static_cast<int>(info.ssi_signo);
}

}  // namespace sluice::app
