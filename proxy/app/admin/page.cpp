// SPDX-License-Identifier: Apache-2.0
#include "app/admin/page.hpp"

#include <array>
#include <cerrno>
#include <string>
#include <sys/random.h>
#include <system_error>

namespace sluice::app {
namespace {

constexpr std::string_view k_mark = "@NONCE@";

std::string make_nonce() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string nonce;
  for (const unsigned char byte : bytes) {
    nonce += k_digits[byte >> 4U];
    nonce += k_digits[byte & 15U];
  }
  return nonce;
}

}  // namespace

HttpResponse page_response() {
  const std::string nonce = make_nonce();
  std::string body(page_text());
  for (std::size_t at = body.find(k_mark); at != std::string::npos; at = body.find(k_mark, at)) {
    body.replace(at, k_mark.size(), nonce);
  }
  return {.content_type = "text/html; charset=utf-8",
          .body = std::move(body),
          .headers = {
              {"Content-Security-Policy",
               "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce +
                   "'; img-src data:; connect-src 'self'; base-uri 'none'; form-action "
                   "'none'; frame-ancestors 'none'"},
              {"Referrer-Policy", "no-referrer"}}};
}

}  // namespace sluice::app
