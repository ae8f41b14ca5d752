/* SPDX-License-Identifier: Apache-2.0 */
/* A source written by the user: a shared object that the sidecar loads and runs on a thread of
 * its own. It exports `sluice_source_abi` and `sluice_source_run`. */
#ifndef SLUICE_SOURCE_PLUGIN_H
#define SLUICE_SOURCE_PLUGIN_H

#include <sluice/export.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLUICE_SOURCE_ABI 1

typedef struct sluice_source_host {
  /* sizeof(sluice_source_host) as the host was built; later versions only add members. */
  unsigned long size;
  /* Non-zero once the plug-in should return. Thread-safe. */
  int (*stopping)(const struct sluice_source_host* host);
  /* One line for the log: level 0 debug, 1 info, 2 warning, 3 error. Thread-safe. */
  void (*log)(const struct sluice_source_host* host, int level, const char* text);
  void* opaque;
} sluice_source_host;

/* Must be SLUICE_SOURCE_ABI. */
SLUICE_EXPORT extern const int sluice_source_abi;

/* Runs on the plug-in's own thread. `zmq_context` is the sidecar's libzmq context; connect an
 * XPUB or PUB socket to `endpoint` (inproc) and publish. `args` is the text of the configuration's
 * key `args`, valid until the return. Return when `stopping` says so or a call fails with ETERM,
 * with every socket closed; 0 for success. A return before that is logged and the source is gone.
 * Not back within the linger: the process exits with 1. Must not throw. */
SLUICE_EXPORT int sluice_source_run(void* zmq_context, const char* endpoint, const char* args,
                                    const sluice_source_host* host);

#ifdef __cplusplus
}
#endif

#endif
