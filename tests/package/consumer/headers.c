/* SPDX-License-Identifier: Apache-2.0 */
/* The C headers are C, and the C call is there. */
#include <sluice/sluice.h>
#include <sluice/source_plugin.h>

#include <errno.h>

int main(void) {
  sluice_tuning tuning = {sizeof tuning, 1000, 0, 1000, 0, 0};
  return sluice_proxy_tuned(0, 0, 0, 0, &tuning) == -1 && errno == EFAULT ? 0 : 1;
}
