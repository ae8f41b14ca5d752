// SPDX-License-Identifier: Apache-2.0
// traffic MESSAGES: an inproc publisher, a forwarding thread and a tcp subscriber. Prints which
// thread did what ("thread ID ROLE") and what was counted ("calls ROLE KIND COUNT").
#include "syscalls/role.hpp"

#include <sluice/syscalls.hpp>

#include <zmq.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

void* open_socket(void* context, int type) {
  void* const socket = ::zmq_socket(context, type);
  const int unlimited = 0;
  ::zmq_setsockopt(socket, ZMQ_SNDHWM, &unlimited, sizeof unlimited);
  ::zmq_setsockopt(socket, ZMQ_RCVHWM, &unlimited, sizeof unlimited);
  return socket;
}

// True for the last message: an empty one.
bool pass(void* from, void* to) {
  zmq_msg_t message;
  ::zmq_msg_init(&message);
  const bool got = ::zmq_msg_recv(&message, from, ZMQ_DONTWAIT) >= 0;
  const bool last = got && ::zmq_msg_size(&message) == 0;
  if (!got || ::zmq_msg_send(&message, to, 0) < 0) {
    ::zmq_msg_close(&message);
  }
  return last;
}

void forward(void* context, std::promise<std::string>& bound) {
  const sluice::syscalls::ForwardingScope scope;
  std::ostringstream line;
  line << "thread " << ::gettid() << " forwarding\n";
  std::cout << line.str();
  void* const frontend = open_socket(context, ZMQ_XSUB);
  void* const backend = open_socket(context, ZMQ_XPUB);
  ::zmq_connect(frontend, "inproc://source");
  ::zmq_bind(backend, "tcp://127.0.0.1:*");
  char endpoint[64];
  size_t length = sizeof endpoint;
  ::zmq_getsockopt(backend, ZMQ_LAST_ENDPOINT, endpoint, &length);
  bound.set_value(endpoint);
  zmq_pollitem_t items[] = {{frontend, 0, ZMQ_POLLIN, 0}, {backend, 0, ZMQ_POLLIN, 0}};
  for (bool last = false; !last;) {
    ::zmq_poll(items, 2, -1);
    if ((items[1].revents & ZMQ_POLLIN) != 0) {
      pass(backend, frontend);
    }
    if ((items[0].revents & ZMQ_POLLIN) != 0) {
      last = pass(frontend, backend);
    }
  }
  ::zmq_close(frontend);
  ::zmq_close(backend);
}

void print_io_threads() {
  for (const auto& task : std::filesystem::directory_iterator{"/proc/self/task"}) {
    std::ifstream file{task.path() / "comm"};
    std::string name;
    if (std::getline(file, name) && name.find("ZMQbg") != std::string::npos) {
      std::cout << "thread " << task.path().filename().string() << " io\n";
    }
  }
}

void print(const char* role, const sluice::SyscallTable& table) {
  for (const auto& [kind, count] : table) {
    std::cout << "calls " << role << ' ' << kind << ' ' << count << '\n';
  }
}

}  // namespace

int main(int, char** arguments) {
  void* const context = ::zmq_ctx_new();
  void* const source = open_socket(context, ZMQ_XPUB);
  ::zmq_bind(source, "inproc://source");
  std::promise<std::string> bound;
  std::thread forwarder{[&] { forward(context, bound); }};
  const std::string endpoint = bound.get_future().get();
  std::thread subscriber{[&] {
    void* const own = ::zmq_ctx_new();
    void* const socket = open_socket(own, ZMQ_SUB);
    ::zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
    ::zmq_connect(socket, endpoint.c_str());
    char data[128];
    while (::zmq_recv(socket, data, sizeof data, 0) != 0) {
    }
    print_io_threads();
    ::zmq_close(socket);
    ::zmq_ctx_term(own);
  }};
  char data[100] = "";
  ::zmq_recv(source, data, sizeof data, 0);  // the subscription
  for (int left = std::atoi(arguments[1]); left > 0; --left) {
    ::zmq_send(source, data, sizeof data, 0);
  }
  ::zmq_send(source, data, 0, 0);
  subscriber.join();
  forwarder.join();
  ::zmq_close(source);
  ::zmq_ctx_term(context);
  const auto counts = sluice::syscall_counts();
  if (!counts) {
    return 1;
  }
  print("forwarding", counts->forwarding);
  print("io", counts->io);
  print("other", counts->other);
  return 0;
}
