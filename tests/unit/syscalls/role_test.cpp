// SPDX-License-Identifier: Apache-2.0
#include "syscalls/role.hpp"

#include "deltas.hpp"
#include "support/deadline.hpp"

#include <gtest/gtest.h>
#include <zmq.h>

#include <future>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace sluice::test {
namespace {

// The only call looked at here: sanitizers make some of their own on new threads.
std::uint64_t getpids(const SyscallTable& table) {
  const auto found = table.find("getpid");
  return found == table.end() ? 0 : found->second;
}

TEST(SyscallRoles, AScopeCountsAsForwarding) {
  const auto calls = calls_of([] {
    ::getpid();
    {
      const syscalls::ForwardingScope scope;
      ::getpid();
      ::getpid();
    }
    ::getpid();
  });
  EXPECT_EQ(getpids(calls.forwarding), 2U);
  EXPECT_EQ(getpids(calls.other), 2U);
}

TEST(SyscallRoles, AThreadMarkedForGood) {
  const auto calls = calls_of([] {
    std::thread{[] {
      syscalls::mark_thread_forwarding();
      ::pthread_setname_np(::pthread_self(), "ZMQbg/never");  // the mark outranks the name
      ::getpid();
    }}.join();
    std::thread{[] { ::getpid(); }}.join();  // gets the block, not the role
  });
  EXPECT_EQ(getpids(calls.forwarding), 1U);
  EXPECT_EQ(getpids(calls.other), 1U);
}

TEST(SyscallRoles, NamedByItselfAsLibzmqDoesIt) {
  const auto calls = calls_of([] {
    std::thread{[] {
      ::pthread_setname_np(::pthread_self(), "mine/ZMQbg/IO/0");
      ::getpid();
    }}.join();
  });
  EXPECT_EQ(getpids(calls.io), 1U);
  EXPECT_EQ(getpids(calls.other), 0U);
}

TEST(SyscallRoles, NamedByItsCreatorAsOlderLibzmqDoesIt) {
  for (const bool called_before : {false, true}) {
    const auto calls = calls_of([called_before] {
      std::promise<void> started;
      std::promise<void> named;
      std::thread thread{[&] {
        if (called_before) {
          ::getpid();
        }
        started.set_value();
        named.get_future().wait();
        ::getpid();
      }};
      started.get_future().wait();
      ::pthread_setname_np(thread.native_handle(), "ZMQbg/1");
      named.set_value();
      thread.join();
    });
    EXPECT_EQ(getpids(calls.io), 1U);
    EXPECT_EQ(getpids(calls.other), called_before ? 1U : 0U);
  }
}

TEST(SyscallRoles, LibzmqsThreadsAreIo) {
  const auto calls = calls_of([] {
    void* const context = ::zmq_ctx_new();
    void* const publisher = ::zmq_socket(context, ZMQ_PUB);
    ASSERT_EQ(::zmq_bind(publisher, "tcp://127.0.0.1:*"), 0);
    char endpoint[64];
    size_t length = sizeof endpoint;
    ASSERT_EQ(::zmq_getsockopt(publisher, ZMQ_LAST_ENDPOINT, endpoint, &length), 0);
    void* const subscriber = ::zmq_socket(context, ZMQ_SUB);
    ASSERT_EQ(::zmq_setsockopt(subscriber, ZMQ_SUBSCRIBE, "", 0), 0);
    ASSERT_EQ(::zmq_connect(subscriber, endpoint), 0);
    const bool arrived = eventually([&] {
      ::zmq_send(publisher, "x", 1, 0);
      char byte = 0;
      return ::zmq_recv(subscriber, &byte, 1, ZMQ_DONTWAIT) == 1;
    });
    EXPECT_TRUE(arrived);
    ::zmq_close(subscriber);
    ::zmq_close(publisher);
    ::zmq_ctx_term(context);
  });
  EXPECT_GE(calls.io.at("epoll_wait"), 3U);
  EXPECT_GE(calls.io.at("accept4"), 1U);
  EXPECT_GE(calls.io.at("sendto"), 1U);
  EXPECT_GE(calls.io.at("recvfrom"), 1U);
  EXPECT_EQ(calls.other.count("epoll_wait"), 0U);
  EXPECT_GE(calls.other.at("eventfd2"), 4U);
  EXPECT_GE(calls.other.at("poll"), 1U);
}

}  // namespace
}  // namespace sluice::test
