/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SLUICE_EXPORT_H
#define SLUICE_EXPORT_H

/* Marks what the shared library offers; everything else is hidden. */
#define SLUICE_EXPORT __attribute__((visibility("default")))

#endif
