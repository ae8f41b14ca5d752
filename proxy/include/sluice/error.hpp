// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/export.h>

#include <stdexcept>
#include <string>

namespace sluice {

/// A setting that cannot work. Thrown by constructors and by `Route::set`; names the field.
class SLUICE_EXPORT ConfigError : public std::invalid_argument {
 public:
  /// `field` is the path of the setting, for example "sink.edge.send_hwm".
  ConfigError(std::string field, const std::string& what);
  [[nodiscard]] const std::string& field() const noexcept { return m_field; }

 private:
  std::string m_field;
};

/// An endpoint that could not be bound or connected. Names the endpoint and carries the errno.
class SLUICE_EXPORT EndpointError : public std::runtime_error {
 public:
  EndpointError(std::string endpoint, int error, const std::string& what);
  [[nodiscard]] const std::string& endpoint() const noexcept { return m_endpoint; }
  /// The errno value (libzmq's own included), never 0.
  [[nodiscard]] int error() const noexcept { return m_error; }

 private:
  std::string m_endpoint;
  int m_error;
};

}  // namespace sluice
