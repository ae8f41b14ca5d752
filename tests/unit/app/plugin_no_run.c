/* SPDX-License-Identifier: Apache-2.0 */
#include <sluice/source_plugin.h>

const int sluice_source_abi = SLUICE_SOURCE_ABI;
