// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <chrono>
#include <fstream>
#include <malloc.h>
#include <thread>
#include <unistd.h>

namespace sluice::bench {

Memory read_memory() {
  Memory memory;
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  if (file >> total >> resident) memory.resident = resident * sysconf(_SC_PAGESIZE);
  const auto heap = mallinfo2();
  memory.heap = static_cast<std::int64_t>(heap.uordblks + heap.hblkhd);
  return memory;
}

Memory settled_memory() {
  using namespace std::chrono_literals;
  Memory last = read_memory();
  for (int i = 0; i < 50; ++i) {
    std::this_thread::sleep_for(100ms);
    const Memory now = read_memory();
    if (now.heap == last.heap) return now;
    last = now;
  }
  return last;
}

}  // namespace sluice::bench
