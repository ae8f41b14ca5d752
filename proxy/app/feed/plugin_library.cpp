// SPDX-License-Identifier: Apache-2.0
#include "app/feed/plugin_library.hpp"

#include <dlfcn.h>
#include <stdexcept>

namespace sluice::app {
namespace {

std::string last_error() {
  const char* text = dlerror();
  return text != nullptr ? text : "unknown error";
}

void* symbol(void* library, const std::string& path, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) {
    throw std::runtime_error("plug-in " + path + " does not export " + name +
                             " (see sluice/source_plugin.h)");
  }
  return found;
}

}  // namespace

PluginLibrary PluginLibrary::open(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error("cannot load the plug-in: " + last_error());
  const int abi = *static_cast<const int*>(symbol(library, path, "sluice_source_abi"));
  void* run = symbol(library, path, "sluice_source_run");
  if (abi != SLUICE_SOURCE_ABI) {
    throw std::runtime_error("plug-in " + path + " has ABI version " + std::to_string(abi) +
                             ", this program has " + std::to_string(SLUICE_SOURCE_ABI));
  }
  return PluginLibrary(reinterpret_cast<Run>(run));
}

}  // namespace sluice::app
