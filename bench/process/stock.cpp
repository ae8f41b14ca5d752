// SPDX-License-Identifier: Apache-2.0
#include "process/stock.hpp"

#include "socket.hpp"

#include <zmq.h>

#include <cstdio>
#include <stdexcept>

namespace sluice::bench {

namespace {

constexpr int k_backlog = 1024;

}  // namespace

int run_stock(const std::vector<std::string>& words) {
  if (words.size() != 5) throw std::invalid_argument("five words wanted");
  Context context;
  Socket front(context.get(), ZMQ_XSUB);
  front.set(ZMQ_RCVHWM, std::stoi(words[2]));
  front.set(ZMQ_SNDHWM, 0);
  front.bind(words[0]);
  Socket back(context.get(), ZMQ_XPUB);
  back.set(ZMQ_SNDHWM, std::stoi(words[3]));
  back.set(ZMQ_RCVHWM, 0);
  back.set(ZMQ_XPUB_NODROP, std::stoi(words[4]));
  back.set(ZMQ_BACKLOG, k_backlog);
  back.bind(words[1]);
  Socket control(context.get(), ZMQ_REP);
  control.bind("inproc://control");
  std::fputs("ready\n", stderr);
  zmq_proxy_steerable(front.get(), back.get(), nullptr, control.get());
  return 1;
}

}  // namespace sluice::bench
