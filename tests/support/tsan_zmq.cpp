// SPDX-License-Identifier: Apache-2.0
// Tells ThreadSanitizer what it cannot see: libzmq, which is not instrumented, orders whoever wrote
// a message before whoever receives it, and whoever last read its memory before whoever gets that
// memory for a new message. Linked into every program of a ThreadSanitizer build, in front of
// libzmq; the address of a message's content is what the order is told by.
#include <zmq.h>

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

namespace {

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void release(zmq_msg_t* message) {
  __tsan_release(zmq_msg_data(message));
}

void acquire(zmq_msg_t* message) {
  __tsan_acquire(zmq_msg_data(message));
}

}  // namespace

extern "C" {

int zmq_msg_init_size(zmq_msg_t* message, size_t size) {
  static const auto real = next<decltype(zmq_msg_init_size)>("zmq_msg_init_size");
  const int result = real(message, size);
  if (result == 0) {
    acquire(message);
  }
  return result;
}

int zmq_msg_close(zmq_msg_t* message) {
  static const auto real = next<decltype(zmq_msg_close)>("zmq_msg_close");
  release(message);
  return real(message);
}

int zmq_msg_move(zmq_msg_t* target, zmq_msg_t* source) {
  static const auto real = next<decltype(zmq_msg_move)>("zmq_msg_move");
  release(target);
  return real(target, source);
}

int zmq_msg_copy(zmq_msg_t* target, zmq_msg_t* source) {
  static const auto real = next<decltype(zmq_msg_copy)>("zmq_msg_copy");
  release(target);
  return real(target, source);
}

int zmq_msg_send(zmq_msg_t* message, void* socket, int flags) {
  static const auto real = next<decltype(zmq_msg_send)>("zmq_msg_send");
  release(message);
  return real(message, socket, flags);
}

int zmq_msg_recv(zmq_msg_t* message, void* socket, int flags) {
  static const auto real = next<decltype(zmq_msg_recv)>("zmq_msg_recv");
  release(message);  // what it held until now
  const int result = real(message, socket, flags);
  if (result >= 0) {
    acquire(message);
  }
  return result;
}

}  // extern "C"
