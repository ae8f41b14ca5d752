// SPDX-License-Identifier: Apache-2.0
#include "config/load.hpp"

#include "config/build.hpp"
#include "config/draft.hpp"
#include "config/reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::config {
namespace {

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

bool is_plain(std::FILE* file) {
  struct stat info {};
  return ::fstat(::fileno(file), &info) == 0 && S_ISREG(info.st_mode);
}

// Opening a pipe may wait for its writer, unless it must not.
std::FILE* open_file(const std::string& path, bool wait) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (wait ? 0 : O_NONBLOCK));
  if (fd < 0) return nullptr;
  std::FILE* file = ::fdopen(fd, "rb");
  if (file == nullptr) ::close(fd);
  return file;
}

bool read_file(const std::string& path, bool again, std::string& text, Errors& errors) {
  const std::unique_ptr<std::FILE, Close> file(open_file(path, !again));
  const auto fail = [&](const std::string& why) {
    errors.push_back({{Origin::file, path, 0}, "cannot be read: " + why});
    return false;
  };
  if (file == nullptr) return fail(std::strerror(errno));
  if (again && !is_plain(file.get())) return fail("not a plain file, so it cannot be read again");
  char block[4096];
  std::size_t got = 0;
  while ((got = std::fread(block, 1, sizeof block, file.get())) > 0) {
    text.append(block, got);
    if (text.size() > k_largest_file) break;  // the reader says so
  }
  if (std::ferror(file.get()) != 0) return fail(std::strerror(errno));
  return true;
}

// In the order in which a person goes through them: the file by line, then the rest.
void sort(Errors& errors) {
  std::stable_sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) {
    const auto rank = [](const Error& e) {
      return std::pair(e.place.origin == Origin::file ? 0 : 1, e.place.line);
    };
    return rank(a) < rank(b);
  });
}

LoadResult load_or_throw(const Sources& sources) {
  Errors errors;
  std::string text;
  if (!sources.use_text && !sources.path.empty()) {
    if (!read_file(sources.path, sources.again, text, errors)) return errors;
  }
  const Document document =
      read_document(sources.path, sources.use_text ? sources.text : text, errors);
  std::vector<Draft> drafts = draft_sections(document, errors);
  std::vector<Warning> warnings;
  apply_flags(drafts, sources.sets, errors);
  apply_environment(drafts, sources.env, warnings);
  std::vector<Section> sections = type_sections(drafts, errors);
  if (!errors.empty()) {
    sort(errors);
    return errors;
  }
  LoadResult result = build(std::move(sections), sources.directory);
  if (auto* config = std::get_if<LoadedConfig>(&result)) {
    config->warnings.insert(config->warnings.begin(), warnings.begin(), warnings.end());
  } else {
    sort(std::get<Errors>(result));
  }
  return result;
}

}  // namespace

LoadResult load(const Sources& sources) {
  try {
    return load_or_throw(sources);
  } catch (const std::exception& e) {
    return Errors{{{Origin::file, sources.path, 0}, e.what()}};
  }
}

}  // namespace sluice::config
