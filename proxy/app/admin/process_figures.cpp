// SPDX-License-Identifier: Apache-2.0
#include "app/admin/process_figures.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace sluice::app {
namespace {

namespace fs = std::filesystem;

constexpr double k_nanosecond = 1e-9;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The fields of a stat file behind the name, which may hold anything: [0] is the state.
std::vector<std::string> stat_fields(const fs::path& path) {
  const std::string text = contents(path);
  const std::size_t behind = text.rfind(')');
  std::vector<std::string> fields;
  if (behind == std::string::npos) return fields;
  std::istringstream in(text.substr(behind + 1));
  for (std::string field; in >> field;) fields.push_back(field);
  return fields;
}

double number(const std::vector<std::string>& fields, std::size_t index) {
  return index < fields.size() ? std::strtod(fields[index].c_str(), nullptr) : 0;
}

double ticks_per_second() {
  static const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  return ticks;
}

double boot_time() {
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("btime ")) return std::strtod(line.c_str() + 6, nullptr);
  }
  return 0;
}

// In nanoseconds where the kernel keeps them, else in ticks.
double thread_cpu_seconds(const fs::path& task) {
  const std::string precise = contents(task / "schedstat");
  if (!precise.empty()) return std::strtod(precise.c_str(), nullptr) * k_nanosecond;
  const auto fields = stat_fields(task / "stat");
  return (number(fields, 11) + number(fields, 12)) / ticks_per_second();
}

std::uint64_t entries(const char* folder) {
  std::error_code error;
  std::uint64_t count = 0;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    ++count;
  }
  return count;
}

double io_threads_cpu_seconds() {
  std::error_code error;
  double sum = 0;
  for (fs::directory_iterator it("/proc/self/task", error), end; !error && it != end;
       it.increment(error)) {
    if (contents(it->path() / "comm").starts_with("ZMQbg")) sum += thread_cpu_seconds(it->path());
  }
  return sum;
}

}  // namespace

ProcessFigures read_process_figures() {
  ProcessFigures figures;
  timespec cpu{};
  if (::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu) == 0) {
    figures.cpu_seconds =
        static_cast<double>(cpu.tv_sec) + static_cast<double>(cpu.tv_nsec) * k_nanosecond;
  }
  figures.io_cpu_seconds = io_threads_cpu_seconds();
  const auto fields = stat_fields("/proc/self/stat");
  figures.threads = static_cast<std::uint64_t>(number(fields, 17));
  figures.start_time = boot_time() + number(fields, 19) / ticks_per_second();
  figures.virtual_bytes = static_cast<std::uint64_t>(number(fields, 20));
  figures.resident_bytes = static_cast<std::uint64_t>(number(fields, 21)) *
                           static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t open = entries("/proc/self/fd");
  figures.open_descriptors = open == 0 ? 0 : open - 1;  // the one that looked
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) figures.most_descriptors = limit.rlim_cur;
  return figures;
}

}  // namespace sluice::app
