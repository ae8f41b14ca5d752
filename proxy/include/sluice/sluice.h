/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface: a drop-in for zmq_proxy_steerable(3). */
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

#include <sluice/export.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Go on after a handled signal instead of returning -1 with EINTR. */
#define SLUICE_CONTINUE_ON_SIGNAL 1u

/* Begins with its size so that it can grow: set it to sizeof(sluice_tuning). Times are in
 * microseconds. Ranges are those of sluice::Tuning. */
typedef struct sluice_tuning {
  size_t size;
  uint32_t inbound_poll_rate;    /* messages, 1 to 1e9 */
  uint32_t flags;                /* SLUICE_CONTINUE_ON_SIGNAL */
  uint64_t max_command_delay_us; /* 0 to 10'000'000 */
  uint64_t coalesce_delay_us;    /* 0 to 100'000 */
  uint64_t max_topic;            /* bytes, 1 to 8192; 0 = the default, 4096 */
} sluice_tuning;

/* Signature, return values and errno of zmq_proxy_steerable(3), for every pair of sockets that it
 * serves, either way round, or one socket twice (what it receives is sent back through it).
 * Returns
 *   0 after TERMINATE or DRAIN;
 *  -1 with ETERM when the context was shut down,
 *          EINTR after a handled signal, also in a loop that never sleeps, and for the sockets of a
 *          parent process,
 *          EFAULT for a null frontend or backend, ENOTSOCK for what is no open socket,
 *          EINVAL for a tuning out of range and for socket types without a descriptor (drafts),
 *          ENOMEM, or what libzmq said of a socket that cannot go on (ENOTSUP: it cannot send).
 * A message that was read and not yet taken when the call returns may be lost.
 *
 * Never aborts, never blocks on one peer, never changes an option of the caller's sockets, throws
 * nothing. The caller's thread owns the four sockets for the length of the call, which takes no
 * descriptor of its own. While it runs, the thread holds signals back except while it waits and
 * between turns (not with SLUICE_CONTINUE_ON_SIGNAL, and not those that running code causes):
 * their handlers run within max_command_delay or 10 ms, whichever is longer. A signal sent to a
 * process of several threads may be taken by another of them while this one is busy.
 *
 * `control`: any type, or null; the commands are those of the sidecar, ATTACH, DETACH and RELOAD
 * excepted. `capture`: any type, or null; gets a copy of what is forwarded in both directions and
 * never of commands. It is lossy: what it has no room for is dropped, except that up to 1000
 * messages are kept until its first reader has come. */
SLUICE_EXPORT int sluice_proxy_steerable(void* frontend, void* backend, void* capture,
                                         void* control);

/* The same with knobs; a null `tuning` means the defaults. EINVAL for a value out of range. */
SLUICE_EXPORT int sluice_proxy_tuned(void* frontend, void* backend, void* capture, void* control,
                                     const sluice_tuning* tuning);

#ifdef __cplusplus
}
#endif

#endif
