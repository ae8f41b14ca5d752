// SPDX-License-Identifier: Apache-2.0
#include "app/command/arguments.hpp"
#include "app/manual/pages.hpp"
#include "app/manual/roff.hpp"
#include "app/program.hpp"

namespace sluice::app::manual {
namespace {

std::string dashed(const OptionSpec& option) {
  std::string out;
  if (option.letter != '\0') out = std::string("-") + option.letter + ", ";
  return out + "--" + std::string(option.name);
}

void command(Page& page, const CommandSpec& spec) {
  page.subheading("sluice " + std::string(spec.name) + ' ' + std::string(spec.usage));
  page.paragraph(spec.summary);
  for (const OptionSpec& option : spec.options) {
    page.item(dashed(option), option.value, option.help);
  }
  if (!spec.details.empty()) page.verbatim(spec.details);
}

}  // namespace

std::string command_page() {
  Page page("sluice", "1", "fast, steerable ZeroMQ publisher proxy");
  page.heading("SYNOPSIS");
  page.verbatim("sluice COMMAND [OPTION]...\nsluice --help | --version");
  page.heading("DESCRIPTION");
  page.paragraph(
      "Forwards many ZeroMQ publishers (over ipc, tcp, built in, or plug-ins) to subscribers on "
      "tcp "
      "and ipc. How often its loop looks at commands, and how long it gathers messages before it "
      "wakes, can be set while it runs; what it does is counted, system calls included.");
  page.heading("COMMANDS");
  for (const CommandSpec* spec : command_specs()) command(page, *spec);
  page.heading("EXIT STATUS");
  page.item("0", "", "done");
  page.item("1", "", "failed while running, or refused by the sidecar; the reason is on stderr");
  page.item("64", "", "usage");
  page.item("69", "", "control endpoint not reachable, or no answer in time");
  page.item("78", "", "configuration; the text begins with file:line:");
  page.heading("ENVIRONMENT");
  page.item("SLUICE_<SECTION>_<NAME>_<KEY>", "",
            "a setting, before that of the file and after that of a flag; see sluice.conf(5)");
  page.item("SLUICE_CONTROL", "", "the endpoint for sluice ctl");
  page.heading("FILES");
  page.item("/etc/sluice/sluice.ini", "", "where sluice ctl looks for the control endpoint");
  page.item("/run/sluice/", "", "the usual place of ipc files");
  page.heading("SEE ALSO");
  page.paragraph("sluice.conf(5), sluice-bench(1), libsluice(3), zmq_proxy_steerable(3)");
  return page.text();
}

}  // namespace sluice::app::manual
