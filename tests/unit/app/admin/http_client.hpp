// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/fd.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::app {

/// A connection that sends whatever it is told, right or wrong, and reads what comes back.
class HttpClient {
 public:
  /// `endpoint`: "127.0.0.1:9464".
  explicit HttpClient(const std::string& endpoint);

  /// False once the other side has gone.
  bool send(std::string_view text);
  /// One whole response, by its Content-Length; what came before the end where it ends early.
  [[nodiscard]] std::string response();
  /// Sends and reads one.
  [[nodiscard]] std::string ask(std::string_view text) { return send(text) ? response() : ""; }
  /// Whether the other side closes within the test's patience.
  [[nodiscard]] bool closed();

 private:
  bool read_more();

  core::Fd m_fd;
  std::string m_read;
};

/// "GET path HTTP/1.1" with a Host and further header lines, each with its line end.
[[nodiscard]] std::string get(std::string_view path, std::string_view headers = {});
[[nodiscard]] std::string post(std::string_view path, std::string_view body,
                               std::string_view headers = {});
/// 200; 0 where there is none.
[[nodiscard]] int status_of(std::string_view response);
[[nodiscard]] std::string body_of(std::string_view response);

}  // namespace sluice::app
