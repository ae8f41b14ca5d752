// SPDX-License-Identifier: Apache-2.0
#include "app/manual/pages.hpp"
#include "app/manual/roff.hpp"
#include "config/manual.hpp"
#include "config/refused.hpp"
#include "config/table.hpp"

namespace sluice::app::manual {
namespace {

using config::Kind;
using config::Setting;

void setting(Page& page, const Setting& entry) {
  page.item(entry.key, config::type_text(entry), entry.help);
  std::string rest = "Default: ";
  rest += entry.standard.empty() ? "none" : entry.standard;
  rest += ". Change: " + std::string(to_string(entry.change)) + '.';
  if (entry.native_only) rest += " Native engine.";
  page.more(rest);
}

constexpr const char* k_sample =
    "[route market]\n"
    "inbound_poll_rate = 1000    # a comment\n"
    "max_command_delay = 1ms\n"
    "\n"
    "[source feed]\n"
    "bind = ipc:///run/sluice/in.sock\n"
    "\n"
    "[sink edge]\n"
    "bind = tcp://*:5556\n";

}  // namespace

std::string settings_page() {
  Page page("sluice.conf", "5", "configuration of the ZeroMQ proxy sluice");
  page.heading("DESCRIPTION");
  page.paragraph(
      "One INI file, commonly /etc/sluice/sluice.ini. Values are looked for in --set flags, then "
      "in "
      "the environment, then in the file, then among the defaults. sluice check says what is wrong "
      "with a file, sluice show prints every value in force with the place it comes from.");
  page.verbatim(k_sample);
  page.paragraph(
      "Durations need a unit (500us, 1ms, 2s, 1.5h); sizes may have one (64k, 8MiB: powers of "
      "1024; "
      "kB, MB: of 1000), and so may counts (10k, 1M). Comments begin with # at the start of a line "
      "or after white space. Text in double quotes may have \\\\ \\\" \\n \\r \\t \\0 \\xHH. Keys "
      "marked 'may be repeated' may; any other key given twice is an error.");
  page.paragraph(
      "A setting's full name is kind.name.key, as route.market.linger; kind and name may be left "
      "out "
      "where that leaves one meaning. In the environment it is SLUICE_ROUTE_MARKET_LINGER.");
  page.paragraph(
      "Change tells what a new value needs: live settings change in place, by sluice ctl set too; "
      "recreate ones when the object of that section is made again; restart ones need a new "
      "start.");
  for (const Kind kind : config::kinds()) {
    page.heading("[" + std::string(to_string(kind)) + (is_single(kind) ? "]" : " NAME]"));
    for (const Setting& entry : config::settings(kind)) setting(page, entry);
  }
  page.heading("REFUSED BY NAME");
  for (const config::Refused& entry : config::refused()) {
    page.item(entry.what, "", std::string(entry.why) + " (" + std::string(entry.words) + ")");
  }
  page.heading("FILES");
  page.item("/etc/sluice/sluice.ini", "", "the file of the system service");
  page.heading("SEE ALSO");
  page.paragraph("sluice(1)");
  return page.text();
}

}  // namespace sluice::app::manual
