// SPDX-License-Identifier: Apache-2.0
#include "app/top/top.hpp"

#include "app/process/signals.hpp"
#include "app/top/screen_mode.hpp"
#include "app/top/view.hpp"
#include "config/text.hpp"

#include <cstdio>
#include <memory>
#include <poll.h>
#include <unistd.h>
#include <vector>

namespace sluice::app::top {
namespace {

using Clock = std::chrono::steady_clock;

/// Stop, or draw again.
bool wants_to_quit(bool keys) {
  char key = 0;
  while (keys && ::read(STDIN_FILENO, &key, 1) == 1) {
    if (key == 'q' || key == 'Q') return true;
  }
  return false;
}

/// False when it is to stop.
bool sleep_until(Clock::time_point time, Signals& signals, bool keys) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(time - Clock::now()).count();
    if (left <= 0) return true;
    pollfd descriptors[] = {{signals.fd(), POLLIN, 0}, {keys ? STDIN_FILENO : -1, POLLIN, 0}};
    if (::poll(descriptors, 2, static_cast<int>(left)) <= 0) continue;
    if (signals.next() || wants_to_quit(keys)) return false;
  }
}

}  // namespace

void watch(const Options& options, const std::function<std::string()>& ask) {
  Signals signals;
  const bool terminal = !options.json && ::isatty(STDOUT_FILENO) != 0;
  const bool keys = terminal && ::isatty(STDIN_FILENO) != 0;
  History history;
  history.add(read_sample(ask()), std::time(nullptr));
  if (!options.route.empty() && history.latest().find(options.route) == nullptr) {
    std::vector<std::string_view> names;
    for (const RouteSample& route : history.latest().routes) names.push_back(route.name);
    throw NoRoute("there is no route " + config::printable(options.route) +
                  config::did_you_mean(options.route, names));
  }
  std::unique_ptr<ScreenMode> screen_mode;
  if (terminal) {
    screen_mode = std::make_unique<ScreenMode>();
    screen_mode->draw(screen(history, options.route, terminal_size(STDOUT_FILENO)));
  }
  auto due = Clock::now();
  for (std::uint64_t done = 0; !options.count || done < *options.count;) {
    due += options.interval;
    const bool go_on = sleep_until(due, signals, keys);
    if (go_on) {
      history.add(read_sample(ask()), std::time(nullptr));
      ++done;
    }
    const bool last = !go_on || (options.count && done == *options.count);
    const std::time_t time = std::time(nullptr);
    if (terminal) {
      screen_mode->draw(screen(history, options.route, terminal_size(STDOUT_FILENO)));
    } else if (go_on) {
      const std::string text = options.json ? json_line(history, options.route, time)
                                            : plain_lines(history, options.route, time, last);
      std::fwrite(text.data(), 1, text.size(), stdout);
      std::fflush(stdout);
      if (std::ferror(stdout) != 0) return;  // the reader has gone
    }
    if (!go_on) return;
  }
}

}  // namespace sluice::app::top
