// SPDX-License-Identifier: Apache-2.0
#include "core/endpoint/waiting_names.hpp"

#include <zmq.h>

#include <cerrno>
#include <csignal>
#include <map>
#include <mutex>
#include <pthread.h>
#include <set>
#include <thread>
#include <utility>

namespace sluice::core {
namespace {

struct Table {
  std::mutex mutex;
  std::multimap<std::pair<void*, std::string>, ZmqSocket> sockets;
  std::set<void*> guarded;  // the contexts that have a thread
};

// Never destroyed: the threads may outlive main.
Table& table() {
  static auto* const s_table = new Table;
  return *s_table;
}

// Waits for what never comes: the receive ends with the context.
void guard(void* context, ZmqSocket alarm) noexcept {
  zmq_msg_t nothing;
  zmq_msg_init(&nothing);
  while (zmq_msg_recv(&nothing, alarm.raw(), 0) >= 0 || errno == EINTR || errno == EAGAIN) {
  }
  zmq_msg_close(&nothing);
  const std::lock_guard lock{table().mutex};
  auto& sockets = table().sockets;
  for (auto it = sockets.begin(); it != sockets.end();) {
    if (it->first.first == context) {
      it->second.close();
      it = sockets.erase(it);
    } else {
      ++it;
    }
  }
  table().guarded.erase(context);
}

// With the table's lock. Throws std::runtime_error when the context is ending.
void start_guard(void* context) {
  if (table().guarded.contains(context)) return;
  ZmqSocket alarm{context, ZMQ_PAIR};
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([context, alarm = std::move(alarm)]() mutable noexcept {
      pthread_setname_np(pthread_self(), "sluice/names");
      guard(context, std::move(alarm));
    }).detach();
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  table().guarded.insert(context);
}

}  // namespace

void keep_waiting(void* context, const std::string& name, ZmqSocket socket) noexcept {
  try {
    const std::lock_guard lock{table().mutex};
    start_guard(context);
    table().sockets.emplace(std::pair{context, name}, std::move(socket));
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it is closed then
  }
}

ZmqSocket take_waiting(void* context, const std::string& name) noexcept {
  try {
    const std::lock_guard lock{table().mutex};
    const auto at = table().sockets.find(std::pair{context, name});
    if (at == table().sockets.end()) return {};
    ZmqSocket socket = std::move(at->second);
    table().sockets.erase(at);
    return socket;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace sluice::core
