// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace sluice::sink {

/// A member's place in at most one list.
template <typename T>
struct ListHook {
  T* next = nullptr;
  T* previous = nullptr;
  bool linked = false;
};

/// A list of T through its hook `Hook`: nothing is allocated, every operation takes constant time.
/// The members outlive their membership.
template <typename T, ListHook<T> T::*Hook>
class IntrusiveList {
 public:
  IntrusiveList() = default;
  IntrusiveList(const IntrusiveList&) = delete;
  IntrusiveList& operator=(const IntrusiveList&) = delete;

  [[nodiscard]] bool empty() const noexcept { return m_first == nullptr; }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] T* front() const noexcept { return m_first; }
  /// The member after `item`; null at the end.
  [[nodiscard]] static T* after(const T& item) noexcept { return (item.*Hook).next; }

  void push_back(T& item) noexcept {
    item.*Hook = ListHook<T>{nullptr, m_last, true};
    (m_last == nullptr ? m_first : (m_last->*Hook).next) = &item;
    m_last = &item;
    ++m_size;
  }
  void erase(T& item) noexcept {
    const ListHook<T> hook = std::exchange(item.*Hook, ListHook<T>{});
    (hook.previous == nullptr ? m_first : (hook.previous->*Hook).next) = hook.next;
    (hook.next == nullptr ? m_last : (hook.next->*Hook).previous) = hook.previous;
    --m_size;
  }
  /// Takes over all members of `other`; this list must be empty.
  void take(IntrusiveList& other) noexcept {
    m_first = std::exchange(other.m_first, nullptr);
    m_last = std::exchange(other.m_last, nullptr);
    m_size = std::exchange(other.m_size, 0);
  }

 private:
  T* m_first = nullptr;
  T* m_last = nullptr;
  std::size_t m_size = 0;
};

}  // namespace sluice::sink
