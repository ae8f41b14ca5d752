/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/* What a process that carries the interposer exports, once: the rest of Sluice finds it by name at
 * run time, so that the library does not depend on it. All functions are thread-safe. */

#ifdef __cplusplus
extern "C" {
#endif

struct sluice_interposer_v1 { /* NOLINT(readability-identifier-naming): C */
  uint32_t size;              /* of this structure; later versions only append */
  uint32_t kinds;
  const char* (*kind_name)(uint32_t kind);
  /* Totals of one role since the process began, threads that have ended included. */
  void (*sum)(uint32_t role, uint64_t* cells, uint32_t count);
  /* Of the calling thread, from now on; the role it had is returned. */
  uint32_t (*set_role)(uint32_t role);
  /* Opens the spare descriptor: 0, or an errno value. Repeating it is harmless. */
  int (*arm_shedding)(void);
  uint64_t (*shed_connections)(void);
  /* Calls `told(context)` after a connection was shed, at most once a minute, on the thread that
   * accepts; a null `told` ends it. Not to be changed while connections are being shed. */
  void (*on_shed)(void (*told)(void* context), void* context);
};

typedef const struct sluice_interposer_v1* sluice_interposer_v1_function(void);
#define SLUICE_INTERPOSER_SYMBOL "sluice_interposer_v1"

/* Names the directory that processes under libsluice_syscalls.so count into. */
#define SLUICE_TRACE_VARIABLE "SLUICE_TRACE_OUT"

#ifdef __cplusplus
}
#endif
