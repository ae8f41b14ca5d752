// SPDX-License-Identifier: Apache-2.0
#include "app/command/commands.hpp"
#include "core/base/fd.hpp"

#include <zmq.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace sluice::app {
namespace {

/// A new file or none: what is there is never written over.
void write_file(const std::string& path, mode_t mode, std::string_view text) {
  const core::Fd fd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
  // The umask may only have taken away.
  if (!fd || ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fsync(fd.get()) != 0) {
    const int error = errno;
    if (fd) ::unlink(path.c_str());
    throw std::runtime_error("cannot write " + path + ": " + std::strerror(error));
  }
}

}  // namespace

const CommandSpec& keygen_spec() {
  static const CommandSpec spec{
      "keygen",
      "make a CURVE key pair",
      "[NAME]",
      {},
      "Writes NAME.secret (mode 0600) and NAME.public and prints the public key; NAME is a path\n"
      "without ending, \"sluice\" unless given. Files that are there are left alone.\n\n"
      "The secret file goes into curve_secret_file of its owner; the public key into\n"
      "curve_server_key_file of those who connect to it, or into the curve_allow_file of those it\n"
      "connects to.\n\n"
      "examples:\n"
      "  sluice keygen /etc/sluice/keys/edge\n"
      "  sluice keygen alice && cat alice.public >> /etc/sluice/keys/readers\n",
      true};
  return spec;
}

ExitCode keygen_command(const Arguments& arguments) {
  if (arguments.words().size() > 1) throw UsageError("one name, not several");
  const std::string name = arguments.words().empty() ? "sluice" : arguments.words().front();
  std::array<char, 41> public_key{};
  std::array<char, 41> secret_key{};
  if (zmq_curve_keypair(public_key.data(), secret_key.data()) != 0) {
    throw std::runtime_error("this libzmq has no CURVE");
  }
  const std::string secret = std::string(secret_key.data()) + '\n';
  write_file(name + ".secret", 0600, secret);
  try {
    write_file(name + ".public", 0644, std::string(public_key.data()) + '\n');
  } catch (...) {
    ::unlink((name + ".secret").c_str());
    throw;
  }
  std::printf("%s\n", public_key.data());
  return ExitCode::done;
}

}  // namespace sluice::app
