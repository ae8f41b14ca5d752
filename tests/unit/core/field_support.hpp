// SPDX-License-Identifier: Apache-2.0
// What the tests named after field reports share: each runs over both engines.
#pragma once

#include "route_peers.hpp"
#include "support/deadline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace sluice::test {

/// Sanitizer builds are told by their patience; they get so much less to do.
inline int slowness() {
  return std::max(1, static_cast<int>(patience().count() / 5'000));
}
inline int scaled(int count) {
  return std::max(1, count / slowness());
}

inline std::size_t entries(const char* directory) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator{directory}) {
    static_cast<void>(entry);
    ++count;
  }
  return count;
}
inline std::size_t descriptors() {
  return entries("/proc/self/fd");
}
inline std::size_t threads() {
  return entries("/proc/self/task");
}

inline std::size_t resident_bytes() {
  std::ifstream file{"/proc/self/statm"};
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
}

/// Whether there is a round that leaves memory as it was: what leaks grows in each, an allocator
/// with several threads settles some time.
template <typename Round>
bool memory_settles(Round&& round) {
  for (int i = 0; i < 20; ++i) {
    const auto before = resident_bytes();
    round();
    if (testing::Test::HasFatalFailure()) return true;  // said already
    if (resident_bytes() < before + 64 * 1024) return true;
  }
  return false;
}

/// Memory that a process may still take, from the kernel's estimate; 0 when it does not say.
inline std::uint64_t available_bytes() {
  std::ifstream file{"/proc/meminfo"};
  std::string word;
  std::uint64_t kibibytes = 0;
  while (file >> word) {
    if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

/// The soft limit goes up to the hard one.
inline void raise_descriptor_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

inline std::uint64_t peers(const Route& route, std::size_t sink = 0) {
  return route.status().sinks.at(sink).peers;
}

class FieldReport : public testing::TestWithParam<Engine> {
 protected:
  static RouteOptions one_to_one(OnFull policy = OnFull::block) {
    return test::one_to_one(policy, GetParam());
  }
  static bool native() { return GetParam() == Engine::native; }
};

}  // namespace sluice::test

#define SLUICE_FIELD_REPORTS_OVER_BOTH_ENGINES(suite)               \
  INSTANTIATE_TEST_SUITE_P(                                         \
      Engines, suite, testing::Values(Engine::zmq, Engine::native), \
      [](const auto& engine) { return std::string{to_string(engine.param)}; })
