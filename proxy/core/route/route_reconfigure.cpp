// SPDX-License-Identifier: Apache-2.0
// A running route becomes what other options say. The caller's thread waits where there is
// something to wait for; the loop only takes short steps.
#include "core/route/options_check.hpp"
#include "core/route/route_impl.hpp"

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>

namespace sluice {
namespace {

using core::Assembly;
using core::Nanoseconds;
using core::now;

// libzmq gives an address back a moment after it was told to.
constexpr Nanoseconds k_patience = 2 * core::k_second;
constexpr std::chrono::milliseconds k_pause{2};

template <typename Try>
void until_free(Try attempt) {
  const Nanoseconds deadline = now() + k_patience;
  for (;;) {
    try {
      return attempt();
    } catch (const EndpointError& e) {
      if (e.error() != EADDRINUSE || now() >= deadline) throw;
    }
    std::this_thread::sleep_for(k_pause);
  }
}

}  // namespace

void Route::Impl::require_steady() const {
  const RouteState now = state();
  if (now == RouteState::running || now == RouteState::paused) return;
  throw std::runtime_error("route " + m_options.name + " is " + to_string(now));
}

void Route::Impl::reconfigure(RouteOptions next) {
  if (next.name != m_options.name) throw ConfigError("route.name", "cannot be changed");
  core::check(next);
  const std::lock_guard one{m_change_mutex};
  require_steady();
  RouteOptions before;
  {
    const std::lock_guard lock{m_mutex};
    before = m_current;
  }
  next.max_topic = before.max_topic;
  next.max_subscriptions = before.max_subscriptions;
  next.on_event = before.on_event;
  auto change = std::make_shared<const core::RouteChange>(core::difference(before, next));
  if (!change->empty()) carry_out(change, core::to_ns(next.linger));
  {
    const std::lock_guard lock{m_mutex};
    m_current = next;
  }
  m_linger.store(core::to_ns(next.linger));
  if (next.tuning != tuning()) set(next.tuning);
}

void Route::Impl::carry_out(std::shared_ptr<const core::RouteChange> change, Nanoseconds linger) {
  const auto step = [this](auto f) {
    return call([this, f = std::move(f)](Assembly& a) {
      require_steady();
      return f(a);
    });
  };
  try {
    const bool all = step([change](Assembly& a) { return a.stage(*change); });
    if (!all) {
      step([change](Assembly& a) { a.make_way(*change); });
      until_free([&] { step([change](Assembly& a) { a.stage(*change); }); });
    }
    step([change, linger](Assembly& a) { a.commit(*change, linger); });
  } catch (...) {
    const auto why = std::current_exception();
    try {
      call([](Assembly& a) { a.undo(); });
      until_free([this] { call([](Assembly& a) { a.restore(); }); });
    } catch (const std::exception& e) {
      try {
        forget_lost(call([](Assembly& a) { return a.lost(); }), e.what());
      } catch (
          const std::exception&) {  // NOLINT(bugprone-empty-catch): it stops, nothing is missed
      }
    }
    std::rethrow_exception(why);
  }
}

// The next change finds them missing and opens them.
void Route::Impl::forget_lost(const std::vector<std::string>& lost, const std::string& why) {
  const auto is_lost = [&lost](const std::string& name) {
    return std::find(lost.begin(), lost.end(), name) != lost.end();
  };
  {
    const std::lock_guard lock{m_mutex};
    std::erase_if(m_current.sinks, [&](const auto& s) { return is_lost("sink " + s.name); });
    std::erase_if(m_current.sources, [&](const auto& s) { return is_lost("source " + s.name); });
    if (m_current.tap && is_lost("tap " + m_current.tap->name)) m_current.tap.reset();
  }
  if (!m_options.on_event) return;
  for (const auto& name : lost) {
    const std::string text = name + " could not be opened again after a change that failed: " + why;
    m_options.on_event(Event{Severity::error, m_options.name, text});
  }
}

void Route::Impl::set(const Tuning& tuning) {
  core::check(tuning, "route." + m_options.name + ".");
  bool running = false;
  {
    const std::lock_guard lock{m_mutex};
    m_tuning = tuning;
    running = m_running;
  }
  if (running) call([tuning](Assembly& a) { a.loop().set(tuning); });
}

bool Route::Impl::set_on_full(const std::string& sink, OnFull policy) {
  if (!call([sink, policy](Assembly& a) { return a.set_on_full(sink, policy); })) return false;
  const std::lock_guard lock{m_mutex};
  for (auto& options : m_current.sinks) {
    if (options.name == sink) options.on_full = policy;
  }
  return true;
}

}  // namespace sluice
