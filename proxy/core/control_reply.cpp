// SPDX-License-Identifier: Apache-2.0
#include "core/control_reply.hpp"

#include <cstring>

namespace sluice::core {

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

Reply outcome_reply(const Outcome& outcome) {
  if (!outcome.ok()) return error_reply(outcome.word, outcome.text);
  return {outcome.text.empty() ? std::string("OK") : "OK " + outcome.text};
}

Reply error_reply(std::string_view word, std::string_view text) {
  std::string frame = "ERR ";
  frame += word;
  if (!text.empty()) {
    frame += ' ';
    frame += text;
  }
  return {std::move(frame)};
}

}  // namespace sluice::core
