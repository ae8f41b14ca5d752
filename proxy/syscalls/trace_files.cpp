// SPDX-License-Identifier: Apache-2.0
#include "syscalls/trace_files.hpp"

#include "syscalls/interposer/blocks.hpp"
#include "syscalls/interposer_api.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace sluice::syscalls {

namespace {

constexpr std::size_t k_cells = std::size_t{k_roles} * k_kinds;

bool is_ours(const interposer::RegionHeader& header) {
  return header.magic == interposer::k_trace_magic && header.kinds == k_kinds &&
         header.blocks == interposer::k_blocks && header.block_size == sizeof(interposer::Block);
}

SyscallTable table_of(const std::uint64_t* cells) {
  SyscallTable table;
  for (unsigned kind = 0; kind < k_kinds; ++kind) {
    if (cells[kind] != 0) {
      table.emplace(k_kind_names[kind], cells[kind]);
    }
  }
  return table;
}

std::optional<TracedProcess> read_process(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::vector<char> bytes(sizeof(interposer::Region));
  interposer::RegionHeader header{};
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    return std::nullopt;
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  if (!is_ours(header)) {
    return std::nullopt;
  }
  std::uint64_t sums[k_cells] = {};
  for (std::size_t block = 0; block <= interposer::k_blocks;
       ++block) {  // the shared one comes first
    std::uint64_t cells[k_cells];
    std::memcpy(cells,
                bytes.data() + offsetof(interposer::Region, shared) +
                    block * sizeof(interposer::Block) + offsetof(interposer::Block, cells),
                sizeof cells);
    for (std::size_t cell = 0; cell < k_cells; ++cell) {
      sums[cell] += cells[cell];
    }
  }
  header.program[sizeof header.program - 1] = '\0';
  return TracedProcess{.pid = header.pid,
                       .started_ns = header.started_ns,
                       .program = header.program,
                       .counts = {.forwarding = table_of(sums),
                                  .io = table_of(sums + k_kinds),
                                  .other = table_of(sums + 2 * std::size_t{k_kinds})}};
}

}  // namespace

std::vector<TracedProcess> read_trace(const std::string& directory) {
  std::vector<TracedProcess> processes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator{directory, error}) {
    if (entry.path().extension() == ".calls") {
      if (auto process = read_process(entry.path())) {
        processes.push_back(*std::move(process));
      }
    }
  }
  std::ranges::sort(processes, {}, &TracedProcess::started_ns);
  return processes;
}

const char* trace_variable() {
  return SLUICE_TRACE_VARIABLE;
}

}  // namespace sluice::syscalls
