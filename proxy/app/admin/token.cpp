// SPDX-License-Identifier: Apache-2.0
#include "app/admin/token.hpp"

#include "core/base/fd.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::app {
namespace {

constexpr std::size_t k_shortest = 16;
constexpr std::size_t k_longest = 1024;
constexpr std::string_view k_scheme = "bearer ";

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view k_white = " \t\r\n";
  const std::size_t first = text.find_first_not_of(k_white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(k_white) - first + 1);
}

}  // namespace

// Read while the server waits: of a plain file, and no more of it than a token may have.
std::string read_token(const std::string& path) {
  const core::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) throw std::runtime_error(path + ": " + std::strerror(errno));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    throw std::runtime_error(path + ": is not a plain file");
  }
  char block[2 * k_longest];
  const ssize_t got = ::read(fd.get(), block, sizeof block);
  if (got < 0) throw std::runtime_error(path + ": " + std::strerror(errno));
  const std::string_view text(block, static_cast<std::size_t>(got));
  const std::string token(trimmed(text.substr(0, text.find('\n'))));
  if (token.size() < k_shortest || token.size() > k_longest) {
    throw std::runtime_error(path + ": the first line has to be a token of 16 to 1024 characters");
  }
  return token;
}

bool brings_token(std::string_view authorization, std::string_view token) noexcept {
  if (token.empty() || authorization.size() < k_scheme.size()) return false;
  for (std::size_t i = 0; i < k_scheme.size(); ++i) {
    if (lower(authorization[i]) != k_scheme[i]) return false;
  }
  const std::string_view given = trimmed(authorization.substr(k_scheme.size()));
  unsigned different = given.size() == token.size() ? 0U : 1U;
  for (std::size_t i = 0; i < given.size(); ++i) {
    different |= static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^
                                       static_cast<unsigned char>(token[i % token.size()]));
  }
  return different == 0;
}

}  // namespace sluice::app
