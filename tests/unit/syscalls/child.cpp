// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"

#include "support/deadline.hpp"

#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace sluice::test {

namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) {
    result.push_back(text.data());
  }
  result.push_back(nullptr);
  return result;
}

}  // namespace

Child::Child(std::vector<std::string> command, std::vector<std::string> settings) {
  for (char** variable = environ; *variable != nullptr; ++variable) {
    settings.emplace_back(*variable);
  }
  int input[2];
  int output[2];
  if (::pipe2(input, O_CLOEXEC) != 0 || ::pipe2(output, O_CLOEXEC) != 0) {
    throw std::system_error{errno, std::generic_category(), "pipe2"};
  }
  const core::Fd theirs_in{input[0]};
  m_input = core::Fd{input[1]};
  m_output = core::Fd{output[0]};
  const core::Fd theirs_out{output[1]};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, theirs_in.get(), 0);
  ::posix_spawn_file_actions_adddup2(&actions, theirs_out.get(), 1);
  const int error = ::posix_spawnp(&m_pid, command.front().c_str(), &actions, nullptr,
                                   pointers(command).data(), pointers(settings).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    m_pid = -1;
    throw std::system_error{error, std::generic_category(), command.front()};
  }
}

Child::~Child() {
  if (m_pid > 0) {
    ::kill(m_pid, SIGKILL);
    static_cast<void>(wait());
  }
}

std::optional<std::string> Child::line(std::chrono::milliseconds silence) {
  for (;;) {
    if (const auto end = m_buffer.find('\n'); end != std::string::npos) {
      std::string text = m_buffer.substr(0, end);
      m_buffer.erase(0, end + 1);
      return text;
    }
    char bytes[4096];
    const ssize_t length =
        readable(m_output.get(), silence) ? ::read(m_output.get(), bytes, sizeof bytes) : 0;
    if (length <= 0) {
      return std::nullopt;
    }
    m_buffer.append(bytes, static_cast<std::size_t>(length));
  }
}

void Child::tell(const std::string& text) {
  if (::write(m_input.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::system_error{errno, std::generic_category(), "write to child"};
  }
}

int Child::wait() {
  int status = 0;
  if (::waitpid(m_pid, &status, 0) != m_pid) {
    return -1000;
  }
  m_pid = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace sluice::test
