// SPDX-License-Identifier: Apache-2.0
#include "process/child.hpp"

#include "core/base/clock.hpp"
#include "core/base/fd.hpp"
#include "scratch.hpp"
#include "tcp.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <time.h>
#include <unistd.h>

namespace sluice::bench {

namespace {

using namespace std::chrono_literals;

constexpr auto k_end_timeout = 5s;

std::filesystem::path log_of(const std::filesystem::path& folder) {
  return folder / "log";
}

}  // namespace

Child::Child(std::filesystem::path folder, const std::vector<std::string>& command)
    : m_folder(std::move(folder)) {
  const core::Fd log(open(log_of(m_folder).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  m_pid = fork();
  if (m_pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (m_pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    reset_signals();
    dup2(log.get(), STDOUT_FILENO);
    dup2(log.get(), STDERR_FILENO);
    execv(arguments.front(), arguments.data());
    _exit(127);
  }
}

Child::~Child() {
  if (m_pid > 0 && !ended()) {
    kill(m_pid, SIGTERM);
    const auto end = std::chrono::steady_clock::now() + k_end_timeout;
    while (!ended()) {
      if (std::chrono::steady_clock::now() > end) kill(m_pid, SIGKILL);
      std::this_thread::sleep_for(1ms);
    }
  }
  std::error_code ignored;
  std::filesystem::remove_all(m_folder, ignored);
}

bool Child::ended() noexcept {
  if (m_pid <= 0) return true;
  const pid_t done = waitpid(m_pid, nullptr, WNOHANG);
  if (done == 0 || (done < 0 && errno == EINTR)) return false;
  m_pid = -1;
  return true;
}

void Child::wait_listening(const std::string& endpoint, std::chrono::milliseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    if (ended()) throw std::runtime_error("the program has ended: " + last_words());
    try {
      static_cast<void>(connect_tcp(endpoint));
      return;
    } catch (const std::runtime_error&) {
      if (std::chrono::steady_clock::now() > end) throw;
    }
    std::this_thread::sleep_for(2ms);
  }
}

std::string Child::last_words() const {
  std::ifstream file(log_of(m_folder));
  std::string last = "without a word";
  for (std::string line; std::getline(file, line);) last = line;
  return last;
}

std::filesystem::path make_child_folder() {
  std::string name = (scratch_folder() / "child-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "mkdtemp");
  }
  return name;
}

std::int64_t process_cpu_ns(pid_t process) noexcept {
  clockid_t clock{};
  timespec t{};
  if (process <= 0 || clock_getcpuclockid(process, &clock) != 0) return 0;
  if (clock_gettime(clock, &t) != 0) return 0;
  return t.tv_sec * core::k_second + t.tv_nsec;
}

ProcessMemory process_memory(pid_t process) {
  ProcessMemory memory;
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string key; file >> key;) {
    std::int64_t kilobytes = 0;
    if (key == "VmRSS:" && file >> kilobytes) memory.resident = kilobytes * 1024;
    if (key == "VmHWM:" && file >> kilobytes) memory.peak = kilobytes * 1024;
  }
  return memory;
}

}  // namespace sluice::bench
