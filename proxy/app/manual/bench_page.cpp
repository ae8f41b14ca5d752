// SPDX-License-Identifier: Apache-2.0
#include "app/manual/pages.hpp"
#include "app/manual/roff.hpp"

namespace sluice::app::manual {

std::string bench_page(const std::string& help) {
  Page page("sluice-bench", "1", "what a ZeroMQ proxy costs and what it buys, measured");
  page.heading("SYNOPSIS");
  page.verbatim("sluice-bench [--benchmark_filter=REGEX] [--seconds=3] [FLAG]...");
  page.heading("DESCRIPTION");
  page.paragraph(
      "Measures Sluice's two engines, libzmq's own zmq_proxy_steerable and no proxy at all in one "
      "run: throughput, CPU time and system calls per message, latency, fan-out, memory. A Google "
      "Benchmark program: its flags and its JSON are those of Google Benchmark, and a few more.");
  page.paragraph(
      "Names are family/variant/parameters; --benchmark_list_tests lists them. Ratios mean "
      "something "
      "between variants of one run on an otherwise idle machine; absolute figures do not travel.");
  page.heading("OPTIONS");
  page.verbatim(help);
  page.heading("EXAMPLES");
  page.verbatim(
      "sluice-bench --benchmark_filter=^throughput/\n"
      "sluice-bench --benchmark_filter='trickle/(stock|zmq)/.*even' --seconds=3\n"
      "sluice-bench --benchmark_filter=^fanout/ --benchmark_out=fanout.json");
  page.heading("SEE ALSO");
  page.paragraph("sluice(1)");
  return page.text();
}

}  // namespace sluice::app::manual
