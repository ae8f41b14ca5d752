// SPDX-License-Identifier: Apache-2.0
#include "app/log/log.hpp"

#include "app/log/log_line.hpp"
#include "app/log/repeat_filter.hpp"
#include "app/log/stderr_writer.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include <mutex>
#include <string>

namespace sluice::app {
namespace {

spdlog::level::level_enum level_of(config::LogLevel level) noexcept {
  switch (level) {
    case config::LogLevel::debug:
      return spdlog::level::debug;
    case config::LogLevel::info:
      return spdlog::level::info;
    case config::LogLevel::warning:
      return spdlog::level::warn;
    case config::LogLevel::error:
      break;
  }
  return spdlog::level::err;
}

spdlog::level::level_enum level_of(Severity severity) noexcept {
  return level_of(static_cast<config::LogLevel>(severity));
}

static_assert(static_cast<int>(Severity::error) == static_cast<int>(config::LogLevel::error) &&
              static_cast<int>(Severity::debug) == static_cast<int>(config::LogLevel::debug));

Severity severity_of(spdlog::level::level_enum level) noexcept {
  switch (level) {
    case spdlog::level::trace:
    case spdlog::level::debug:
      return Severity::debug;
    case spdlog::level::info:
      return Severity::info;
    case spdlog::level::warn:
      return Severity::warning;
    default:
      return Severity::error;
  }
}

/// The route's name travels as spdlog's logger name.
class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit StderrSink(config::LogFormat format) : m_format(format) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string_view payload(message.payload.data(), message.payload.size());
    const auto held_back = m_repeats.admit(payload, core::now());
    if (!held_back) return;
    std::string text(payload);
    if (*held_back > 0) text += " (repeated " + std::to_string(*held_back) + " more times)";
    const LogRecord record{message.time,
                           severity_of(message.level),
                           {message.logger_name.data(), message.logger_name.size()},
                           text};
    m_writer.write(m_format == config::LogFormat::json ? json_line(record) : text_line(record));
  }
  void flush_() override {}

 private:
  config::LogFormat m_format;
  RepeatFilter m_repeats;
  StderrWriter m_writer;
};

}  // namespace

class Log::Impl {
 public:
  explicit Impl(const config::LogOptions& options)
      : m_sink(std::make_shared<StderrSink>(options.format)) {
    set_level(options.level);
  }
  void write(Severity severity, std::string_view text, std::string_view route) {
    const auto level = level_of(severity);
    if (!m_sink->should_log(level)) return;
    m_sink->log(spdlog::details::log_msg(spdlog::string_view_t(route.data(), route.size()), level,
                                         spdlog::string_view_t(text.data(), text.size())));
  }
  void set_level(config::LogLevel level) { m_sink->set_level(level_of(level)); }

 private:
  std::shared_ptr<StderrSink> m_sink;
};

Log::Log(const config::LogOptions& options) : m_impl(std::make_unique<Impl>(options)) {}

Log::~Log() = default;

void Log::write(Severity severity, std::string_view text, std::string_view route) noexcept {
  try {
    m_impl->write(severity, text, route);
  } catch (...) {  // no memory for a line: the line is lost
  }
}

void Log::set_level(config::LogLevel level) noexcept {
  m_impl->set_level(level);
}

}  // namespace sluice::app
