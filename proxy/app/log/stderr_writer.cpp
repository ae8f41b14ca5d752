// SPDX-License-Identifier: Apache-2.0
#include "app/log/stderr_writer.hpp"

#include <cerrno>
#include <climits>
#include <poll.h>
#include <string>

namespace sluice::app {

bool StderrWriter::has_room() const noexcept {
  pollfd descriptor{m_fd, POLLOUT, 0};
  return ::poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLOUT) != 0;
}

void StderrWriter::write(std::string_view line) {
  if (!has_room()) {
    ++m_lost;
    return;
  }
  if (m_torn || m_lost > 0) {
    std::string text = m_torn ? "\n" : "";
    if (m_lost > 0) {
      // Readable by people and valid where every line has to be JSON.
      text += "{\"level\":\"warning\",\"message\":\"" + std::to_string(m_lost) +
              " log lines were lost: stderr was not read\"}\n";
    }
    m_torn = false;
    if (!write_all(text)) return;
    m_lost = 0;
  }
  if (!write_all(line)) ++m_lost;
}

bool StderrWriter::write_all(std::string_view text) noexcept {
  // A pipe that reports room takes PIPE_BUF bytes at once.
  bool begun = false;
  while (!text.empty()) {
    if (!has_room()) {
      m_torn = begun;
      return false;
    }
    const ssize_t written =
        ::write(m_fd, text.data(), text.size() < PIPE_BUF ? text.size() : PIPE_BUF);
    if (written < 0) {
      if (errno == EINTR) continue;
      m_torn = begun;
      return false;
    }
    begun = true;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace sluice::app
