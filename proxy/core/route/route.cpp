// SPDX-License-Identifier: Apache-2.0
#include "core/route/route_impl.hpp"

#include <sluice/route.hpp>

#include <utility>

namespace sluice {

Route::Route(zmq::context_t& context, RouteOptions options)
    : Route(context.handle(), std::move(options)) {}

Route::Route(void* context, RouteOptions options)
    : m_impl(std::make_unique<Impl>(context, std::move(options))) {}

Route::~Route() = default;

void Route::start() {
  m_impl->start();
}
void Route::run() {
  m_impl->run();
}

void Route::pause() {
  m_impl->call([](core::Assembly& a) { a.loop().pause(); });
}

void Route::resume() {
  m_impl->call([](core::Assembly& a) { a.loop().resume(); });
}

void Route::set(const Tuning& tuning) {
  m_impl->set(tuning);
}

void Route::set_on_full(std::string_view sink, OnFull policy) {
  if (!m_impl->set_on_full(std::string{sink}, policy))
    throw ConfigError("sink." + std::string{sink}, "there is no such sink");
}

void Route::reconfigure(const RouteOptions& next) {
  m_impl->reconfigure(next);
}

Tuning Route::tuning() const {
  return m_impl->tuning();
}

AttachResult Route::attach(const std::string& endpoint) {
  return m_impl->call([endpoint](core::Assembly& a) { return a.attach(endpoint); });
}

DetachResult Route::detach(const std::string& endpoint) {
  return m_impl->call([endpoint](core::Assembly& a) { return a.detach(endpoint); });
}

Statistics Route::statistics() const {
  return m_impl->statistics();
}
RouteStatus Route::status() const {
  return m_impl->status();
}
RouteState Route::state() const noexcept {
  return m_impl->state();
}
std::string Route::reason() const {
  return m_impl->reason();
}
const RouteOptions& Route::options() const noexcept {
  return m_impl->options();
}

bool Route::ping(std::chrono::milliseconds timeout) const {
  return m_impl->ping(timeout);
}

StopResult Route::stop(std::chrono::milliseconds timeout) {
  m_impl->request_stop();
  return m_impl->wait_stopped(timeout) ? StopResult::stopped : StopResult::timed_out;
}

StopResult Route::drain(std::chrono::milliseconds timeout) {
  m_impl->request_drain();
  return m_impl->wait_stopped(timeout) ? StopResult::stopped : StopResult::timed_out;
}

void Route::request_stop() {
  m_impl->request_stop();
}
void Route::request_drain() {
  m_impl->request_drain();
}

bool Route::wait_stopped(std::chrono::milliseconds timeout) const {
  return m_impl->wait_stopped(timeout);
}

}  // namespace sluice
