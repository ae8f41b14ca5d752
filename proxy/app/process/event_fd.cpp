// SPDX-License-Identifier: Apache-2.0
#include "app/process/event_fd.hpp"

#include <cerrno>
#include <cstdint>
#include <sys/eventfd.h>
#include <system_error>

namespace sluice::app {

EventFd::EventFd() : m_fd(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!m_fd) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void EventFd::raise() noexcept {
  const std::uint64_t one = 1;
  while (::write(m_fd.get(), &one, sizeof one) < 0 && errno == EINTR) {
  }
}

bool EventFd::take() noexcept {
  std::uint64_t count = 0;
  ssize_t size = 0;
  do {
    size = ::read(m_fd.get(), &count, sizeof count);
  } while (size < 0 && errno == EINTR);
  return size == static_cast<ssize_t>(sizeof count);
}

}  // namespace sluice::app
