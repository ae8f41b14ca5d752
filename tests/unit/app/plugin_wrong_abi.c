/* SPDX-License-Identifier: Apache-2.0 */
#include <sluice/source_plugin.h>

const int sluice_source_abi = SLUICE_SOURCE_ABI + 1;

int sluice_source_run(void* zmq_context, const char* endpoint, const char* args,
                      const sluice_source_host* host) {
  (void)zmq_context, (void)endpoint, (void)args, (void)host;
  return 0;
}
