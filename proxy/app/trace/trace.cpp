// SPDX-License-Identifier: Apache-2.0
#include "app/command/commands.hpp"
#include "app/trace/trace_table.hpp"
#include "syscalls/trace_files.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace sluice::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* k_library = "libsluice_syscalls.so";
constexpr int k_not_found = 127;  ///< as shells say it
constexpr int k_by_signal = 128;

/// Beside the program, where it is installed, or where it is built.
fs::path find_library() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& folder :
       {here, here / ".." / SLUICE_LIBDIR, here / ".." / "lib", here / ".." / "syscalls"}) {
    std::error_code ignored;
    if (fs::exists(folder / k_library, ignored)) return fs::canonical(folder / k_library);
  }
  throw std::runtime_error(std::string(k_library) +
                           " is not beside the program nor in its library folder");
}

/// A fresh directory for the counters, removed at the end.
class TraceDirectory {
 public:
  TraceDirectory() {
    std::string name = fs::temp_directory_path() / "sluice-trace-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), "cannot make " + name);
    }
    m_path = name;
  }
  ~TraceDirectory() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  TraceDirectory(const TraceDirectory&) = delete;
  TraceDirectory& operator=(const TraceDirectory&) = delete;
  [[nodiscard]] const fs::path& path() const noexcept { return m_path; }

 private:
  fs::path m_path;
};

[[noreturn]] void become(const Words& program, const fs::path& library, const fs::path& directory) {
  std::string preload = library;
  if (const char* others = std::getenv("LD_PRELOAD"); others != nullptr && *others != '\0') {
    preload += ':' + std::string(others);
  }
  ::setenv("LD_PRELOAD", preload.c_str(), 1);
  ::setenv(syscalls::trace_variable(), directory.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : program) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  std::fprintf(stderr, "sluice trace: cannot run %s: %s\n", program.front().c_str(),
               std::strerror(errno));
  ::_exit(k_not_found);
}

int run_program_traced(const Words& program, const fs::path& library, const fs::path& directory) {
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) become(program, library, directory);
  // Ctrl-C reaches the program by itself; the table is wanted all the same.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return k_by_signal + WTERMSIG(status);
  return WEXITSTATUS(status);
}

void write(const std::string& text, const std::optional<std::string>& path) {
  std::FILE* file = path ? std::fopen(path->c_str(), "we") : stderr;
  if (file == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + *path);
  }
  std::fwrite(text.data(), 1, text.size(), file);
  if (path) std::fclose(file);
}

}  // namespace

const CommandSpec& trace_spec() {
  static const std::vector<OptionSpec> options{
      {"json", '\0', {}, "JSON instead of a table"},
      {"output", 'o', "FILE", "write there instead of to stderr"}};
  static const CommandSpec spec{
      "trace",
      "count the system calls of any program",
      "[--json] [-o FILE] -- PROGRAM [ARGUMENT]...",
      options,
      "Runs PROGRAM with the counter preloaded and prints a table for each process when it ends,\n"
      "like strace -c but without its slowdown and without times. Not seen: calls that are made\n"
      "inside the C library, static programs, Go. The exit code is the program's.\n\n"
      "example:\n  sluice trace -- python3 publisher.py\n",
      true};
  return spec;
}

ExitCode trace_command(const Arguments& arguments) {
  if (arguments.words().empty()) throw UsageError("no program given: sluice trace -- PROGRAM");
  const fs::path library = find_library();
  const TraceDirectory directory;
  const int code = run_program_traced(arguments.words(), library, directory.path());
  const auto processes = syscalls::read_trace(directory.path());
  if (processes.empty() && code != k_not_found) {
    std::fprintf(stderr, "sluice trace: nothing was counted (a static or set-uid program?)\n");
  } else if (!processes.empty()) {
    write(arguments.has("json") ? trace_json(processes) : trace_text(processes),
          arguments.value("output"));
  }
  return static_cast<ExitCode>(code);
}

}  // namespace sluice::app
