// SPDX-License-Identifier: Apache-2.0
// The peer state machine takes any bytes in any pieces: no event before READY, nothing after a
// refusal, the same events however the stream is cut, and little to send.
#include "sink/native/zmtp/session.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace sluice::zmtp;

void require(bool holds) {
  if (!holds) std::abort();
}

class Recorder final : public SessionHandler {
 public:
  void on_ready() override {
    require(log.empty());
    log.emplace_back("ready");
  }
  void on_subscribe(Bytes topic) override { note("+", topic); }
  void on_cancel(Bytes topic) override { note("-", topic); }
  void on_message(std::span<const std::string> frames) override {
    require(!frames.empty());
    for (const auto& frame : frames) note("m", as_bytes(frame));
  }
  void on_ping(const Ping& ping) override {
    require(ping.context.size() <= k_ping_context_max);
    note("p", ping.context);
  }

  std::vector<std::string> log;

 private:
  void note(const char* kind, Bytes bytes) {
    require(!log.empty());
    log.push_back(kind + std::string{as_text(bytes)});
  }
};

struct Outcome {
  std::vector<std::string> log;
  std::string out;
  Refusal refusal = Refusal::none;
  bool operator==(const Outcome&) const = default;
};

Outcome run(Bytes all, std::size_t step) {
  Session session{SessionLimits{2048, 8192, 16}};
  Recorder recorder;
  Outcome outcome;
  for (std::size_t at = 0; at < all.size() && outcome.refusal == Refusal::none; at += step) {
    outcome.refusal =
        session.feed(all.subspan(at, std::min(step, all.size() - at)), recorder, outcome.out);
  }
  outcome.log = recorder.log;
  require(outcome.out.size() < 256);
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  // Most inputs begin with the greeting, so that the states behind it are reached.
  std::string stream;
  if (data[0] % 8 != 0) Session::start(stream);
  if (data[0] % 8 > 1)
    append_command(stream, "READY", as_bytes({"\x0BSocket-Type\0\0\0\x03SUB", 19}));
  stream.append(reinterpret_cast<const char*>(data + 2), size - 2);
  const Bytes all = as_bytes(stream);
  const Outcome whole = run(all, std::max<std::size_t>(all.size(), 1));
  require(whole == run(all, 1));
  require(whole == run(all, 1U + data[1]));
  return 0;
}
