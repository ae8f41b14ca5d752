// SPDX-License-Identifier: Apache-2.0
// limited_listener ENDPOINT: a publisher with an old subscriber and no descriptor left. Says what
// it has come to in lines, goes on at each line it is told.
#include "syscalls/shed.hpp"

#include <sluice/syscalls.hpp>

#include <zmq.h>

#include <cstdio>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

void say(const char* text) {
  std::puts(text);
  std::fflush(stdout);
}

void wait_for_line() {
  char byte = 0;
  while (::read(0, &byte, 1) == 1 && byte != '\n') {
  }
}

unsigned long long io_calls(const char* name) {
  const auto counts = sluice::syscall_counts();
  const auto found = counts->io.find(name);
  return found == counts->io.end() ? 0 : found->second;
}

}  // namespace

int main(int, char** arguments) {
  const rlimit limit{64, 64};
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0 || !sluice::syscalls::arm_descriptor_shedding()) {
    return 2;
  }
  void* const context = ::zmq_ctx_new();
  void* const publisher = ::zmq_socket(context, ZMQ_XPUB);
  char endpoint[256];
  size_t length = sizeof endpoint;
  if (::zmq_bind(publisher, arguments[1]) != 0 ||
      ::zmq_getsockopt(publisher, ZMQ_LAST_ENDPOINT, endpoint, &length) != 0) {
    return 3;
  }
  say(endpoint);
  char byte = 0;
  ::zmq_recv(publisher, &byte, 1, 0);  // the old subscriber's subscription
  while (::open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) {
  }
  say("full");
  wait_for_line();  // connections have come and gone
  ::zmq_send(publisher, "still here", 10, 0);
  std::printf("%llu %llu %llu\n",
              static_cast<unsigned long long>(sluice::syscalls::shed_connections()),
              io_calls("accept4"), io_calls("poll"));
  std::fflush(stdout);
  wait_for_line();
  return 0;
}
