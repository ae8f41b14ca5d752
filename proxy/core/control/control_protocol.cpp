// SPDX-License-Identifier: Apache-2.0
#include "core/control/control_protocol.hpp"

#include <exception>
#include <utility>

namespace sluice::core {
namespace {

std::size_t index(Verb verb) noexcept {
  return static_cast<std::size_t>(verb);
}

std::string describe(const Command& command) {
  std::string text(to_string(command.verb));
  for (const std::string_view argument : {command.first, command.second}) {
    if (argument.empty()) continue;
    text += ' ';
    text += printable(argument, 128);
  }
  return text;
}

}  // namespace

ControlProtocol::ControlProtocol(Steerable& steerable, ControlLog log)
    : m_steerable(steerable), m_log(std::move(log)) {}

ControlAnswer ControlProtocol::handle(const ControlInput& input) noexcept {
  try {
    if (input.frames != 1) {
      return reject({"-", input.frames == 0 ? "empty command" : "a command is a single frame"},
                    input);
    }
    const auto parsed = parse_command(input.first);
    if (const auto* rejection = std::get_if<Rejection>(&parsed)) {
      return reject(*rejection, input);
    }
    const Nanoseconds began = now();
    ControlAnswer answer = carry_out(std::get<Command>(parsed), input);
    m_seconds.record(now() - began);
    return answer;
  } catch (...) {  // out of memory: nothing better can be said
    m_rejected.add(1);
    return {};
  }
}

ControlAnswer ControlProtocol::carry_out(const Command& command, const ControlInput& input) {
  if (command.asks_only() && !input.can_answer) {
    m_rejected.add(1);
    tell(m_complaints, Severity::warning,
         "ignored " + describe(command) + ": this control socket has no way to answer", input);
    return {};
  }
  Outcome outcome;
  Reply reply;
  try {
    if (command.verb == Verb::statistics) {
      reply = statistics_reply(m_steerable.statistics());
    } else {
      outcome = steer(command);
    }
  } catch (const std::exception& e) {
    outcome = Outcome::refused(e.what());
  }
  if (!outcome.ok()) {
    m_refused[index(command.verb)].add(1);
    tell(m_complaints, Severity::warning, "refused " + describe(command) + ": " + outcome.text,
         input);
    return {error_reply(to_string(command.verb), outcome.text), false};
  }
  m_done[index(command.verb)].add(1);
  if (!command.asks_only()) {
    tell(m_orders, Severity::info, "command " + describe(command), input);
  }
  if (command.is_classic()) return {empty_reply(), true};
  return {reply.empty() ? ok_reply(outcome.text) : std::move(reply), false};
}

Outcome ControlProtocol::steer(const Command& command) {
  switch (command.verb) {
    case Verb::pause:
      return m_steerable.pause(command.first);
    case Verb::resume:
      return m_steerable.resume(command.first);
    case Verb::terminate:
      return m_steerable.terminate(command.first);
    case Verb::drain:
      return m_steerable.drain(command.first);
    case Verb::status:
      return m_steerable.status();
    case Verb::get:
      return m_steerable.get(command.first);
    case Verb::set:
      return m_steerable.set(command.first, command.second);
    case Verb::attach:
      return m_steerable.attach(command.first, command.second);
    case Verb::detach:
      return m_steerable.detach(command.first, command.second);
    case Verb::reload:
      return m_steerable.reload();
    case Verb::ping:
      return m_steerable.ping();
    case Verb::statistics:
      break;
  }
  return Outcome::unsupported();
}

ControlAnswer ControlProtocol::reject(const Rejection& rejection, const ControlInput& input) {
  m_rejected.add(1);
  tell(m_complaints, Severity::warning,
       "rejected a command (" + rejection.text + "): " + printable(input.first), input);
  return {error_reply(rejection.word, rejection.text), false};
}

void ControlProtocol::tell(LogLimit& limit, Severity severity, std::string text,
                           const ControlInput& input) {
  if (!m_log) return;
  const auto held_back = limit.admit(now());
  if (!held_back) return;
  if (!input.from.empty()) text += " (from " + printable(input.from, 128) + ")";
  if (*held_back > 0) text += " (and " + std::to_string(*held_back) + " more before it)";
  m_log(severity, text);
}

std::uint64_t ControlProtocol::done(Verb verb) const noexcept {
  return m_done[index(verb)].get();
}

std::uint64_t ControlProtocol::refused(Verb verb) const noexcept {
  return m_refused[index(verb)].get();
}

}  // namespace sluice::core
