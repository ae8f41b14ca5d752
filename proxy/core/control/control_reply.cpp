// SPDX-License-Identifier: Apache-2.0
#include "core/control/control_reply.hpp"

#include "core/control/control_command.hpp"

#include <cstring>

namespace sluice::core {
namespace {

constexpr std::size_t k_longest = 4000;

}  // namespace

Reply empty_reply() {
  return {std::string{}};
}

Reply statistics_reply(const StatisticsValues& values) {
  Reply reply;
  reply.reserve(values.size());
  for (const std::uint64_t value : values) {
    std::string frame(sizeof value, '\0');
    std::memcpy(frame.data(), &value, sizeof value);
    reply.push_back(std::move(frame));
  }
  return reply;
}

Reply ok_reply(std::string_view text) {
  if (text.empty()) return {"OK"};
  return {"OK " + std::string(text)};
}

Reply error_reply(std::string_view word, std::string_view text) {
  std::string frame = "ERR ";
  frame += word;
  if (!text.empty()) {
    frame += ' ';
    frame += printable(text, k_longest);
  }
  return {std::move(frame)};
}

}  // namespace sluice::core
