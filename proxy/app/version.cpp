// SPDX-License-Identifier: Apache-2.0
#include "app/build_info.hpp"
#include "app/command/commands.hpp"

#include <sluice/syscalls.hpp>
#include <sluice/version.hpp>

#include <zmq.h>

#include <tuple>

namespace sluice::app {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

std::string features() {
  std::string out = syscall_counts() ? "syscall-counter" : "no-syscall-counter";
  for (const char* feature : {"ipc", "curve", "draft"}) {
    if (zmq_has(feature) != 0) out += ' ' + std::string(feature);
  }
  return out;
}

}  // namespace

std::string version_text() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  zmq_version(&major, &minor, &patch);
  return std::string("sluice ") + version() + " (" + k_git_hash + ", " + k_build_type +
         ")\nlibzmq built against " +
         dotted(ZMQ_VERSION_MAJOR, ZMQ_VERSION_MINOR, ZMQ_VERSION_PATCH) + ", running " +
         dotted(major, minor, patch) + "\nfeatures: " + features() + '\n';
}

std::string libzmq_warning(int major, int minor, int patch) {
  if (std::tuple(major, minor, patch) >= std::tuple(4, 3, 3)) return {};
  return "libzmq " + dotted(major, minor, patch) +
         " has faults that whoever reaches a port can use (CVE-2019-13132 until 4.3.2, "
         "CVE-2020-15166 "
         "until 4.3.3): take a later one";
}

}  // namespace sluice::app
