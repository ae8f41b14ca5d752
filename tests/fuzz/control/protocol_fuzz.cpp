// SPDX-License-Identifier: Apache-2.0
// Whatever a controller sends: exactly one answer of the stated form, and no state changes unless
// the input is one of the words.
#include "core/control/control_protocol.hpp"
#include "unit/core/control_fake.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace sluice::core;

void require(bool good) {
  if (!good) std::abort();
}

bool is_printable(std::string_view text) {
  for (const char c : text) {
    if (c < ' ' || c > '~') return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  FakeSteerable steerable;
  ControlProtocol protocol{
      steerable, [](sluice::Severity, std::string_view text) { require(is_printable(text)); }};
  ControlInput input;
  input.frames = 1U + (data[0] & 3U) / 3U;
  input.can_answer = (data[0] & 4U) == 0;
  input.first = {reinterpret_cast<const char*>(data) + 1, size - 1};
  const auto answer = protocol.handle(input);
  if (answer.reply.empty()) {
    require(!input.can_answer);  // SUB and PULL: commands only
    return 0;
  }
  const std::string& first = answer.reply.front();
  if (answer.reply.size() == 8) {
    for (const auto& frame : answer.reply) require(frame.size() == sizeof(std::uint64_t));
    require(input.first == "STATISTICS");
  } else {
    require(answer.reply.size() == 1);
    const bool error = first.starts_with("ERR ");
    require(first.empty() || error || first == "OK" || first.starts_with("OK "));
    if (error) {
      require(is_printable(first));
      require(steerable.calls.empty());
    }
    if (answer.classic) require(first.empty());
  }
  return 0;
}
