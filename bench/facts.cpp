// SPDX-License-Identifier: Apache-2.0
#include "facts.hpp"

#include <benchmark/benchmark.h>
#include <zmq.h>

#include <fstream>
#include <string>
#include <sys/utsname.h>
#include <thread>

namespace sluice::bench {

namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
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
