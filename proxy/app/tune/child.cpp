// SPDX-License-Identifier: Apache-2.0
#include "app/tune/child.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace sluice::app::tune {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds k_patience{15'000};

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Ours, without SLUICE_ variables: they would change what is measured.
std::vector<std::string> clean_environment() {
  std::vector<std::string> out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "SLUICE_", 7) != 0) out.emplace_back(*variable);
  }
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

pid_t start(const std::string& ini, const std::string& log) {
  std::vector<std::string> words{fs::read_symlink("/proc/self/exe"), "run", "-c", ini};
  std::vector<std::string> variables = clean_environment();
  const std::vector<char*> arguments = pointers(words);
  const std::vector<char*> environment = pointers(variables);
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (out < 0) throw std::system_error(errno, std::generic_category(), log);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::setpgid(0, 0);  // Ctrl-C is ours to handle
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::execve(arguments.front(), arguments.data(), environment.data());
    ::_exit(127);
  }
  ::close(out);
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  return child;
}

}  // namespace

Scratch::Scratch() {
  m_path = (fs::temp_directory_path() / "sluice-tune-XXXXXX").string();
  if (::mkdtemp(m_path.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot make " + m_path);
  }
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
}

Child::Child(const Scratch& scratch, Engine engine, const RouteOptions& like, bool tcp)
    : m_name(to_string(engine)),
      m_folder(scratch.path() + '/' + m_name),
      m_source("ipc://" + m_folder + "-in"),
      m_control("ipc://" + m_folder + "-control") {
  const std::string ini = m_folder + ".ini";
  std::ofstream(ini) << configuration(engine, like, tcp);
  m_pid = start(ini, m_folder + ".log");
  try {
    m_client = std::make_unique<ControlClient>(ControlTarget{m_control}, k_patience);
    ask("PING");
    const auto status = nlohmann::json::parse(ask("STATUS"));
    m_sink = status.at("routes").at(0).at("sinks").at(0).at("endpoints").at(0);
  } catch (const std::exception& e) {
    const std::string said = read_text(m_folder + ".log");
    end();
    throw std::runtime_error("the sidecar to measure with does not start: " +
                             (said.empty() ? std::string(e.what()) : said));
  }
}

Child::~Child() {
  end();
}

void Child::end() noexcept {
  if (m_pid <= 0) return;
  m_client.reset();
  ::kill(m_pid, SIGKILL);
  while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  m_pid = -1;
}

std::string Child::configuration(Engine engine, const RouteOptions& like, bool tcp) const {
  int recv_hwm = SourceOptions{}.recv_hwm;
  for (const SourceOptions& source : like.sources) recv_hwm = source.recv_hwm;
  std::ostringstream out;
  out << "[route tune]\n[source in]\nbind = " << m_source << "\nrecv_hwm = " << recv_hwm
      << "\n[sink out]\nengine = " << to_string(engine)
      << "\non_full = block\nbind = " << (tcp ? "tcp://127.0.0.1:*" : "ipc://" + m_folder + "-out")
      << '\n';
  if (!like.sinks.empty()) {
    const SinkOptions& sink = like.sinks.front();
    out << "send_hwm = " << sink.send_hwm << '\n';
    if (engine == Engine::native) {
      out << "out_batch = " << sink.out_batch << "\nnodelay = " << (sink.nodelay ? "yes" : "no")
          << '\n';
    }
  }
  out << "[control]\nbind = " << m_control << "\n[log]\nlevel = error\n";
  return out.str();
}

std::string Child::ask(const std::string& command) {
  const auto frames = m_client->request(command);
  const std::string& text = frames.value().front();
  if (text.starts_with("ERR ")) throw std::runtime_error(command + ": " + text);
  return text.starts_with("OK ") ? text.substr(3) : text;
}

void Child::set(const Tuning& t) {
  const bool adaptive = t.mode == TuningMode::adaptive;
  // The two exclude each other, so whichever is to go goes first.
  if (adaptive) {
    ask("SET route.tune.coalesce_delay 0");
    ask("SET route.tune.tuning adaptive");
    ask("SET route.tune.latency_budget " + text_of(t.latency_budget));
  } else {
    ask("SET route.tune.tuning fixed");
    ask("SET route.tune.coalesce_delay " + text_of(t.coalesce_delay));
  }
  ask("SET route.tune.inbound_poll_rate " + std::to_string(t.inbound_poll_rate));
  ask("SET route.tune.max_command_delay " + text_of(t.max_command_delay));
}

top::Sample Child::sample() {
  return top::read_sample(ask("STATUS"));
}

core::Nanoseconds Child::cpu() const {
  // As clock_getcpuclockid(3) makes it, which the C library refuses for some processes.
  const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(m_pid) << 3U) | 2U);
  timespec t{};
  if (clock_gettime(clock, &t) != 0) throw std::runtime_error("the sidecar measured has ended");
  return t.tv_sec * core::k_second + t.tv_nsec;
}

}  // namespace sluice::app::tune
