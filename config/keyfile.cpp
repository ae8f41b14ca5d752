// SPDX-License-Identifier: Apache-2.0
#include "config/keyfile.hpp"

#include "config/text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::config {
namespace {

constexpr std::size_t k_key_length = 40;
constexpr std::size_t k_largest = std::size_t{4} << 20U;
constexpr std::string_view k_z85 =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw BadKeyFile(printable(path) + ": " + why);
}

class File {
 public:
  explicit File(const std::string& path)
      : m_path(path), m_fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (m_fd < 0) fail(path, std::string("cannot be read: ") + std::strerror(errno));
  }
  ~File() { ::close(m_fd); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void require_private() const {
    struct stat info {};
    if (::fstat(m_fd, &info) != 0) fail(m_path, std::strerror(errno));
    if ((info.st_mode & 0027U) != 0) {
      fail(m_path, "a secret key that others can read or change; chmod 600 (or 640)");
    }
  }
  std::string text() const {
    struct stat info {};
    if (::fstat(m_fd, &info) == 0 && !S_ISREG(info.st_mode)) fail(m_path, "is not a plain file");
    std::string text;
    char block[4096];
    for (ssize_t got = 0; (got = ::read(m_fd, block, sizeof block)) != 0;) {
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(m_path, std::string("cannot be read: ") + std::strerror(errno));
      text.append(block, static_cast<std::size_t>(got));
      if (text.size() > k_largest) fail(m_path, "is larger than 4 MiB");
    }
    return text;
  }

 private:
  const std::string& m_path;
  int m_fd;
};

std::vector<std::string> keys_of(const std::string& path, const std::string& text) {
  std::vector<std::string> keys;
  unsigned line = 0;
  for (std::string_view entry : split(text, '\n')) {
    ++line;
    entry = trim(entry);
    if (entry.empty() || entry == "#" || entry.starts_with("# ")) continue;
    const std::string_view key = entry.substr(0, entry.find_first_of(" \t"));
    if (key.size() != k_key_length || key.find_first_not_of(k_z85) != std::string_view::npos) {
      fail(path, "line " + std::to_string(line) + " is no key: 40 characters of Z85");
    }
    keys.emplace_back(key);
  }
  return keys;
}

std::string only_key(const std::string& path, const std::string& text) {
  const auto keys = keys_of(path, text);
  if (keys.size() != 1) fail(path, "holds " + std::to_string(keys.size()) + " keys, not one");
  return keys.front();
}

}  // namespace

std::string read_secret_key(const std::string& path) {
  const File file(path);
  file.require_private();
  return only_key(path, file.text());
}

std::string read_public_key(const std::string& path) {
  return only_key(path, File(path).text());
}

std::vector<std::string> read_key_list(const std::string& path) {
  auto keys = keys_of(path, File(path).text());
  std::sort(keys.begin(), keys.end());
  return keys;
}

void read_key_files(const std::vector<Section>& sections, LoadedConfig& config, Errors& errors) {
  for (const Section& section : sections) {
    if (find_setting(section.kind, "curve_secret_file") == nullptr) continue;
    const std::string path = section.path();
    CurveKeys keys;
    const auto read = [&](std::string_view key, const auto& use) {
      if (find_setting(section.kind, key) == nullptr) return;
      const std::string file = section.text(key);
      if (file.empty()) return;
      try {
        const std::size_t mark = use(file);
        config.key_files.push_back({path, std::string(key), mark, section.value(key).place()});
      } catch (const BadKeyFile& bad) {
        errors.push_back({section.value(key).place(), std::string(key) + ": " + bad.what()});
      }
    };
    const std::hash<std::string> hash;
    read("curve_secret_file", [&](const auto& file) {
      keys.secret = read_secret_key(file);
      return hash(keys.secret);
    });
    read("curve_server_key_file", [&](const auto& file) {
      keys.server = read_public_key(file);
      return hash(keys.server);
    });
    read("curve_allow_file", [&](const auto& file) {
      keys.allowed = read_key_list(file);
      std::string all;
      for (const std::string& key : *keys.allowed) all += key;
      return hash(all);
    });
    if (!section.text("curve_secret_file").empty()) config.curve[path] = std::move(keys);
  }
}

}  // namespace sluice::config
