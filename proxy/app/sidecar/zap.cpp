// SPDX-License-Identifier: Apache-2.0
#include "app/sidecar/zap.hpp"

#include "config/text.hpp"

#include <array>
#include <pthread.h>
#include <string_view>
#include <utility>

namespace sluice::app {
namespace {

constexpr const char* k_endpoint = "inproc://zeromq.zap.01";
constexpr std::size_t k_key_size = 32;
// Version, request, domain, address, identity, mechanism, then the mechanism's credentials.
constexpr std::size_t k_curve_frames = 7;

std::string z85(const zmq::message_t& key) {
  std::array<char, 41> text{};
  const auto* bytes = static_cast<const std::uint8_t*>(key.data());
  if (key.size() != k_key_size || zmq_z85_encode(text.data(), bytes, k_key_size) == nullptr) {
    return {};
  }
  return text.data();
}

}  // namespace

Zap::~Zap() {
  m_stop.raise();
  if (m_thread.joinable()) m_thread.join();
}

void Zap::apply(const config::LoadedConfig& config) {
  Lists lists;
  for (const auto& [section, keys] : config.curve) {
    auto& list = lists[section];
    if (keys.allowed) list.emplace(keys.allowed->begin(), keys.allowed->end());
  }
  const std::lock_guard lock(m_mutex);
  if (!lists.empty() && !m_thread.joinable()) {
    m_socket = zmq::socket_t(m_context, zmq::socket_type::rep);
    m_socket.set(zmq::sockopt::linger, 0);
    m_socket.bind(k_endpoint);
    m_thread = std::thread(&Zap::run, this);
  }
  m_lists = std::move(lists);
}

bool Zap::is_allowed(const std::string& domain, const std::string& key) const {
  const std::lock_guard lock(m_mutex);
  const auto list = m_lists.find(domain);
  if (list == m_lists.end()) return false;
  return !list->second || list->second->contains(key);
}

void Zap::run() noexcept {
  pthread_setname_np(pthread_self(), "sluice/zap");
  zmq_pollitem_t items[] = {{m_socket.handle(), 0, ZMQ_POLLIN, 0},
                            {nullptr, m_stop.fd(), ZMQ_POLLIN, 0}};
  while (!m_stop.take()) {
    try {
      if (zmq_poll(items, 2, -1) < 0 && zmq_errno() != EINTR) break;
      std::vector<zmq::message_t> request;
      zmq::message_t frame;
      while (m_socket.recv(frame, zmq::recv_flags::dontwait)) {
        const bool more = frame.more();
        request.push_back(std::move(frame));
        if (!more) break;
      }
      if (!request.empty()) answer(std::move(request));
    } catch (const zmq::error_t& e) {
      if (e.num() == ETERM) break;
    } catch (const std::exception& e) {
      m_log.error(std::string("a CURVE peer could not be judged: ") + e.what());
    }
  }
  m_socket.close();
}

void Zap::answer(std::vector<zmq::message_t> request) {
  std::string key;
  bool allowed = false;
  if (request.size() == k_curve_frames && request[5].to_string_view() == "CURVE") {
    key = z85(request[6]);
    allowed = !key.empty() && is_allowed(request[2].to_string(), key);
  }
  if (!allowed) {
    if (const auto held_back = m_refusals.admit(core::now())) {
      std::string text = "a connection is refused: ";
      if (request.size() > 3) {
        text += request[2].to_string() + " at " + request[3].to_string() + ", ";
      }
      text += key.empty() ? "no key" : "key " + key + " is not in curve_allow_file";
      if (*held_back > 0) text += " (and " + std::to_string(*held_back) + " more before it)";
      m_log.warning(text);
    }
  }
  const std::string id = request.size() > 1 ? request[1].to_string() : std::string{};
  const std::array<std::string, 6> reply{
      "1.0", id, allowed ? "200" : "400", allowed ? "OK" : "key is not allowed", allowed ? key : "",
      ""};
  for (std::size_t i = 0; i < reply.size(); ++i) {
    m_socket.send(zmq::buffer(reply[i]),
                  i + 1 < reply.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
  }
}

}  // namespace sluice::app
