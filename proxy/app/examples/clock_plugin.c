/* SPDX-License-Identifier: Apache-2.0 */
/* A source to start from: publishes the time of day on the topic "clock", ten times a second, or as
 * often as `args = interval_ms=100` says. Build: cc -shared -fPIC clock_plugin.c -lzmq */
#include <sluice/source_plugin.h>

#include <zmq.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const int sluice_source_abi = SLUICE_SOURCE_ABI;

static int publish(void* socket) {
  char text[64];
  const time_t now = time(NULL);
  struct tm parts;
  if (gmtime_r(&now, &parts) == NULL) return 0;
  const size_t length = strftime(text, sizeof text, "clock %Y-%m-%dT%H:%M:%SZ", &parts);
  return zmq_send(socket, text, length, ZMQ_DONTWAIT) < 0 && errno == ETERM ? -1 : 0;
}

/* Sleeps, and at the same time takes the subscriptions in: an XPUB hands them to its owner. */
static int wait_and_listen(void* socket, long milliseconds) {
  char subscription[256];
  zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
  if (zmq_poll(&item, 1, milliseconds) < 0 && errno == ETERM) return -1;
  while (zmq_recv(socket, subscription, sizeof subscription, ZMQ_DONTWAIT) >= 0) {
  }
  return errno == ETERM ? -1 : 0;
}

int sluice_source_run(void* zmq_context, const char* endpoint, const char* args,
                      const sluice_source_host* host) {
  long interval = 100;
  if (strncmp(args, "interval_ms=", 12) == 0) interval = strtol(args + 12, NULL, 10);
  if (interval < 1) interval = 1;

  void* socket = zmq_socket(zmq_context, ZMQ_XPUB);
  if (socket == NULL) return 1;
  const int linger = 0;
  zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
  int result = zmq_connect(socket, endpoint) == 0 ? 0 : 1;
  if (result == 0) host->log(host, 1, "started");
  while (result == 0 && !host->stopping(host)) {
    if (publish(socket) != 0 || wait_and_listen(socket, interval) != 0) break;
  }
  zmq_close(socket);
  return result;
}
