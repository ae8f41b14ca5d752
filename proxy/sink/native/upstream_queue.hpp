// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/zmq/message.hpp"

#include <cstddef>
#include <cstring>
#include <deque>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice::sink {

/// What came up from the subscribers and waits to be taken: subscription changes and user messages
/// in order. User messages are bounded here; for the changes the engine stops reading at `full`.
class UpstreamQueue {
 public:
  static constexpr std::size_t k_entries = 50'000;
  static constexpr std::size_t k_user_messages = 10'000;
  static constexpr std::size_t k_user_bytes = 16U << 20;

  [[nodiscard]] bool empty() const noexcept { return m_entries.empty(); }
  [[nodiscard]] bool full() const noexcept { return m_entries.size() >= k_entries; }
  void push_topic(bool subscribed, std::string topic) {
    topic.insert(topic.begin(), subscribed ? '\1' : '\0');
    m_entries.push_back(Entry{std::move(topic), {}});
  }
  /// False: there are too many already, the message is lost.
  [[nodiscard]] bool push_message(std::span<const std::string> frames) {
    if (m_user_messages == k_user_messages || m_user_bytes >= k_user_bytes) return false;
    ++m_user_messages;
    for (const auto& frame : frames) m_user_bytes += frame.size();
    m_entries.push_back(Entry{frames[0], {frames.begin() + 1, frames.end()}, true});
    return true;
  }
  /// The queue must not be empty.
  void pop(core::Message& message) {
    message.clear();
    const Entry entry = std::move(m_entries.front());
    m_entries.pop_front();
    if (entry.user) {
      --m_user_messages;
      m_user_bytes -= entry.first.size();
      for (const auto& frame : entry.rest) m_user_bytes -= frame.size();
    }
    fill(message, entry.first);
    for (const auto& frame : entry.rest) fill(message, frame);
  }

 private:
  struct Entry {
    std::string first;
    std::vector<std::string> rest;
    bool user = false;
  };

  static void fill(core::Message& message, const std::string& bytes) {
    core::Frame& frame = message.next();
    zmq_msg_close(frame.raw());
    if (zmq_msg_init_size(frame.raw(), bytes.size()) != 0) {
      zmq_msg_init(frame.raw());
      throw std::bad_alloc{};
    }
    if (!bytes.empty()) std::memcpy(zmq_msg_data(frame.raw()), bytes.data(), bytes.size());
    message.push();
  }

  std::deque<Entry> m_entries;
  std::size_t m_user_messages = 0;
  std::size_t m_user_bytes = 0;
};

}  // namespace sluice::sink
