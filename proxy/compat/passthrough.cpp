// SPDX-License-Identifier: Apache-2.0
#include "compat/passthrough.hpp"

namespace sluice::compat {
namespace {

// ZMTP 3.0 (RFC 23): 1 and a topic subscribes, 0 and a topic cancels.
constexpr std::byte k_subscribe{1};
constexpr std::byte k_cancel{0};

}  // namespace

void Passthrough::attach(core::Frontend& frontend, sink::SocketSink& backend, core::Tap* tap,
                         const SocketPair& pair) noexcept {
  m_frontend = &frontend;
  m_backend = &backend;
  m_tap = tap;
  m_checks_topics = pair.checks_topics;
  m_drops = pair.drops_up;
}

void Passthrough::pause(bool on) noexcept {
  m_paused = on;
  mute();
}

// Any frame: some versions of libzmq read every frame of a message as a subscription.
bool Passthrough::is_too_long(const core::Message& message) const noexcept {
  for (std::size_t i = 0; i < message.frames(); ++i) {
    const auto bytes = message.frame(i).bytes();
    if (bytes.size() > m_max_topic + 1 && (bytes[0] == k_subscribe || bytes[0] == k_cancel)) {
      return true;
    }
  }
  return false;
}

core::Upstream::Sent Passthrough::take(std::size_t /*sink*/, core::Message& message) noexcept {
  if (m_drops) return {};
  if (m_checks_topics && is_too_long(message)) {
    const auto first = message.frame(0).bytes();
    if (first.empty() || first[0] != k_cancel) m_counters.topics_refused.add(1);
    return {};
  }
  if (m_tap != nullptr && !m_full) m_tap->copy(message);
  const std::uint64_t size = message.size();
  const auto sent = m_frontend->send(message);
  const bool was_full = m_full;
  m_full = sent == core::Send::full;
  if (m_full != was_full) mute();
  switch (sent) {
    case core::Send::sent:
      return {true, 1, size, 0};
    case core::Send::full:
      return {false, 0, 0, 0};
    case core::Send::unroutable:
      m_counters.unroutable_messages.add(1);
      return {};
    case core::Send::failed:
      break;
  }
  return {true, 0, 0, m_frontend->error()};
}

bool Passthrough::room() noexcept {
  return !m_paused && m_frontend->room();
}

core::Nanoseconds Passthrough::next_time() const noexcept {
  return m_full ? m_frontend->next_try() : core::k_never;
}

void Passthrough::on_time(core::Nanoseconds /*now*/) noexcept {
  m_frontend->retry();
}

}  // namespace sluice::compat
