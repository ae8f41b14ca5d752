// SPDX-License-Identifier: Apache-2.0
// czmq's zproxy with an XSUB in front and an XPUB behind: the intermediary `process/zproxy`.

#include <czmq.h>

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  zsys_handler_set(nullptr);  // signals end it
  zactor_t* proxy = zactor_new(zproxy, nullptr);
  if (proxy == nullptr) return 1;
  zstr_sendx(proxy, "FRONTEND", "XSUB", argv[1], nullptr);
  zsock_wait(proxy);
  zstr_sendx(proxy, "BACKEND", "XPUB", argv[2], nullptr);
  zsock_wait(proxy);
  for (;;) pause();
}
