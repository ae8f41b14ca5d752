// SPDX-License-Identifier: Apache-2.0
#include "app/trace/trace_table.hpp"

#include "app/terminal/text_table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::app {
namespace {

struct Row {
  std::string call;
  std::uint64_t forwarding = 0;
  std::uint64_t io = 0;
  std::uint64_t other = 0;

  [[nodiscard]] std::uint64_t total() const noexcept { return forwarding + io + other; }
};

std::vector<Row> rows(const SyscallCounts& counts) {
  std::map<std::string, Row> by_call;
  for (const auto& [call, count] : counts.forwarding) by_call[call].forwarding = count;
  for (const auto& [call, count] : counts.io) by_call[call].io = count;
  for (const auto& [call, count] : counts.other) by_call[call].other = count;
  std::vector<Row> out;
  for (auto& [call, row] : by_call) {
    row.call = call;
    if (row.total() > 0) out.push_back(row);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Row& a, const Row& b) { return a.total() > b.total(); });
  return out;
}

Row sum(const std::vector<Row>& rows) {
  Row out{"total"};
  for (const Row& row : rows) {
    out.forwarding += row.forwarding;
    out.io += row.io;
    out.other += row.other;
  }
  return out;
}

std::string table(const SyscallCounts& counts) {
  TextTable out({"SYSCALL", "CALLS", "%", "FORWARDING", "IO", "OTHER"});
  std::vector<Row> all = rows(counts);
  const Row total = sum(all);
  all.push_back(total);
  for (const Row& row : all) {
    const double share = total.total() == 0 ? 0
                                            : 100.0 * static_cast<double>(row.total()) /
                                                  static_cast<double>(total.total());
    out.add({row.call, std::to_string(row.total()), fixed(share, 2), std::to_string(row.forwarding),
             std::to_string(row.io), std::to_string(row.other)});
  }
  return out.text();
}

}  // namespace

std::string trace_text(const std::vector<syscalls::TracedProcess>& processes) {
  std::string out;
  for (const syscalls::TracedProcess& process : processes) {
    if (!out.empty()) out += '\n';
    out += "process " + std::to_string(process.pid) + " " + process.program + '\n';
    out += table(process.counts);
  }
  return out;
}

std::string trace_json(const std::vector<syscalls::TracedProcess>& processes) {
  using Json = nlohmann::ordered_json;
  Json out = Json::array();
  for (const syscalls::TracedProcess& process : processes) {
    out.push_back({{"pid", process.pid},
                   {"program", process.program},
                   {"syscalls",
                    {{"forwarding", process.counts.forwarding},
                     {"io", process.counts.io},
                     {"other", process.counts.other}}}});
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace sluice::app
