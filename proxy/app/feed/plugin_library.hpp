// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/source_plugin.h>

#include <string>

namespace sluice::app {

/// A loaded plug-in. Never unloaded: its code may have started threads or registered handlers.
/// A plain value, usable from any thread.
class PluginLibrary {
 public:
  using Run = int (*)(void*, const char*, const char*, const sluice_source_host*);

  /// Throws std::runtime_error: missing file, missing symbol, wrong ABI version.
  [[nodiscard]] static PluginLibrary open(const std::string& path);

  [[nodiscard]] int run(void* context, const std::string& endpoint, const std::string& args,
                        const sluice_source_host& host) const {
    return m_run(context, endpoint.c_str(), args.c_str(), &host);
  }

 private:
  explicit PluginLibrary(Run entry) noexcept : m_run(entry) {}
  Run m_run;
};

}  // namespace sluice::app
