// SPDX-License-Identifier: Apache-2.0
// Whatever arrives and however it is cut, the decoder consumes its input, keeps no more than one
// frame within the limit, and finds the same frames as in one piece.
#include "sink/native/zmtp/command.hpp"
#include "sink/native/zmtp/decoder.hpp"
#include "sink/native/zmtp/greeting.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace sluice::zmtp;

constexpr std::uint64_t k_limit = 4096;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Outcome {
  std::vector<std::string> frames;
  DecodeStatus end = DecodeStatus::need_more;
  bool operator==(const Outcome&) const = default;
};

Outcome decode(Bytes all, std::size_t step) {
  Outcome outcome;
  Decoder decoder{k_limit};
  for (std::size_t at = 0; at < all.size(); at += step) {
    Bytes input = all.subspan(at, std::min(step, all.size() - at));
    for (;;) {
      const Decoded decoded = decoder.next(input);
      outcome.end = decoded.status;
      if (decoded.status != DecodeStatus::frame) break;
      require(decoded.body.size() <= k_limit);
      outcome.frames.emplace_back(as_text(decoded.body));
      outcome.frames.back().push_back(static_cast<char>(decoded.flags));
      if (const auto command = parse_command(decoded.body)) {
        static_cast<void>(parse_ping(command->data));
        Bytes value;
        static_cast<void>(find_property(command->data, "Socket-Type", value));
      }
    }
    require(decoder.held() <= k_limit + k_long_header);
    if (outcome.end != DecodeStatus::need_more) return outcome;
    require(input.empty());
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes all = as_bytes({reinterpret_cast<const char*>(data + 1), size - 1});
  static_cast<void>(check_greeting(all));
  const Outcome whole = decode(all, std::max<std::size_t>(all.size(), 1));
  require(whole == decode(all, 1U + data[0]));
  require(whole == decode(all, 1));
  return 0;
}
