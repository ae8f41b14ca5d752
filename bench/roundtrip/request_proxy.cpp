// SPDX-License-Identifier: Apache-2.0
#include "roundtrip/request_proxy.hpp"

#include "syscalls/role.hpp"

#include <sluice/sluice.h>

#include <zmq.h>

#include <future>
#include <pthread.h>
#include <unistd.h>

namespace sluice::bench {

namespace {

constexpr const char* k_control = "inproc://request-control";

}  // namespace

RequestProxy::RequestProxy(void* context, const std::string& transport, bool ours)
    : m_front(context, ZMQ_ROUTER),
      m_back(context, ZMQ_DEALER),
      m_proxy_control(context, ZMQ_PAIR),
      m_control(context, ZMQ_PAIR) {
  m_front.bind(fresh_endpoint(transport));
  m_back.bind(fresh_endpoint(transport));
  m_proxy_control.bind(k_control);
  m_control.connect(k_control);
  std::promise<pid_t> started;
  auto thread_id = started.get_future();
  m_thread = std::thread([this, ours, &started] {
    pthread_setname_np(pthread_self(), "bench-requests");
    started.set_value(gettid());
    const syscalls::ForwardingScope scope;
    (ours ? sluice_proxy_steerable : zmq_proxy_steerable)(m_front.get(), m_back.get(), nullptr,
                                                          m_proxy_control.get());
  });
  m_thread_id = thread_id.get();
}

RequestProxy::~RequestProxy() {
  m_control.send("TERMINATE");
  m_thread.join();
}

}  // namespace sluice::bench
