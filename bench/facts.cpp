// SPDX-License-Identifier: Apache-2.0
#include "facts.hpp"

#include <benchmark/benchmark.h>
#include <zmq.h>

#include <fstream>
#include <gnu/libc-version.h>
#include <string>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>

namespace sluice::bench {

namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// "yes" in a virtual machine that says so.
std::string hypervisor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("flags")) {
      return line.find(" hypervisor") == std::string::npos ? "no" : "yes";
    }
  }
  return "unknown";
}

std::string memory_mib() {
  const auto pages = static_cast<unsigned long long>(sysconf(_SC_PHYS_PAGES));
  const auto size = static_cast<unsigned long long>(sysconf(_SC_PAGE_SIZE));
  return std::to_string(pages * size >> 20U);
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? line : "unknown";
}

std::string libzmq_version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  zmq_version(&major, &minor, &patch);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

}  // namespace

void add_machine_facts() {
  utsname system{};
  uname(&system);
  benchmark::AddCustomContext("kernel", std::string(system.sysname) + ' ' + system.release);
  benchmark::AddCustomContext("cpu_model", processor());
  benchmark::AddCustomContext("cpu_count", std::to_string(std::thread::hardware_concurrency()));
  benchmark::AddCustomContext("memory_mib", memory_mib());
  benchmark::AddCustomContext("hypervisor", hypervisor());
  benchmark::AddCustomContext("cpu_governor",
                              first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  benchmark::AddCustomContext("c_library", std::string("glibc ") + gnu_get_libc_version());
  benchmark::AddCustomContext("clock_source",
                              first_line("/sys/devices/system/clocksource/clocksource0/"
                                         "current_clocksource"));
  benchmark::AddCustomContext("libzmq", libzmq_version());
  benchmark::AddCustomContext("compiler", __VERSION__);
  benchmark::AddCustomContext("build_type", SLUICE_BENCH_BUILD_TYPE);
  benchmark::AddCustomContext("proc_stat_at_start", first_line("/proc/stat"));
  benchmark::AddCustomContext("load_average_at_start", first_line("/proc/loadavg"));
}

}  // namespace sluice::bench
