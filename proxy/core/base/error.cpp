// SPDX-License-Identifier: Apache-2.0
#include <sluice/error.hpp>

#include <utility>

namespace sluice {

ConfigError::ConfigError(std::string field, const std::string& what)
    : std::invalid_argument(field.empty() ? what : field + ": " + what),
      m_field(std::move(field)) {}

EndpointError::EndpointError(std::string endpoint, int error, const std::string& what)
    : std::runtime_error(endpoint + ": " + what), m_endpoint(std::move(endpoint)), m_error(error) {}

}  // namespace sluice
