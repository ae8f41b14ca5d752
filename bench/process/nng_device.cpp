// SPDX-License-Identifier: Apache-2.0
// nng's device between a raw subscriber and a raw publisher: the intermediary `process/nng`.

#include <cstdio>
#include <nng/nng.h>
#include <nng/protocol/pubsub0/pub.h>
#include <nng/protocol/pubsub0/sub.h>

namespace {

int fail(const char* what, int error) {
  std::fprintf(stderr, "%s: %s\n", what, nng_strerror(error));
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  nng_socket front = NNG_SOCKET_INITIALIZER;
  nng_socket back = NNG_SOCKET_INITIALIZER;
  if (const int error = nng_sub0_open_raw(&front)) return fail("sub", error);
  if (const int error = nng_pub0_open_raw(&back)) return fail("pub", error);
  if (const int error = nng_listen(front, argv[1], nullptr, 0)) return fail(argv[1], error);
  if (const int error = nng_listen(back, argv[2], nullptr, 0)) return fail(argv[2], error);
  return fail("device", nng_device(front, back));
}
