// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::bench {

/// Writes what the figures depend on (kernel, processor, versions, build) into the context of
/// Google Benchmark's output. Call before the benchmarks run.
void add_machine_facts();

}  // namespace sluice::bench
