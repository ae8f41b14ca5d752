// SPDX-License-Identifier: Apache-2.0
#include "process/programs.hpp"

#include "process/stock.hpp"
#include "tcp.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace sluice::bench {

namespace {

namespace fs = std::filesystem;

fs::path own_file() {
  return fs::read_symlink("/proc/self/exe");
}

/// A program of ours: beside this one, when installed or not.
fs::path beside(const std::string& name) {
  return own_file().parent_path() / name;
}

/// Two endpoints that are free and differ.
void choose_endpoints(Program& program) {
  program.front = free_tcp_endpoint();
  do {
    program.back = free_tcp_endpoint();
  } while (program.back == program.front);
}

Program sidecar(const PathOptions& options, const fs::path& folder, const std::string& engine) {
  std::string file = options.sidecar;
  if (file.empty()) {
    // Beside this one when installed; in the build tree in its own folder.
    const auto here = own_file().parent_path();
    file = find_program("sluice", {here, here.parent_path() / "proxy" / "app"});
  }
  if (file.empty() || access(file.c_str(), X_OK) != 0) {
    throw Unavailable("no sidecar" + (file.empty() ? "; see --sidecar" : ": " + file));
  }
  Program program;
  choose_endpoints(program);
  const auto settings = folder / "sluice.ini";
  std::ofstream(settings) << sidecar_settings(program, options, engine);
  program.command = {file, "run", "-c", settings.string()};
  return program;
}

Program stock(const PathOptions& options) {
  Program program;
  choose_endpoints(program);
  program.command = {own_file().string(),
                     k_stock_word,
                     program.front,
                     program.back,
                     std::to_string(options.recv_hwm),
                     std::to_string(options.send_hwm),
                     options.block ? "1" : "0"};
  return program;
}

/// With its default settings.
Program nats() {
  const auto file = find_program("nats-server", {});
  if (file.empty()) throw Unavailable("nats-server is not installed");
  Program program;
  program.front = free_tcp_endpoint();
  program.back = program.front;
  program.wire = Wire::nats;
  program.command = {file, "-a", "127.0.0.1", "-p", std::to_string(port_of(program.front))};
  return program;
}

/// Everybody may come, and nothing is written to the disk; else as it comes.
Program mosquitto(const fs::path& folder) {
  const auto file = find_program("mosquitto", {});
  if (file.empty()) throw Unavailable("mosquitto is not installed");
  Program program;
  program.front = free_tcp_endpoint();
  program.back = program.front;
  program.wire = Wire::mqtt;
  const auto settings = folder / "mosquitto.conf";
  std::ofstream out(settings);
  out << "listener " << port_of(program.front) << " 127.0.0.1\n"
      << "allow_anonymous true\n"
      << "persistence false\n";
  if (geteuid() == 0) out << "user root\n";  // it would become a user who may not read this
  program.command = {file, "-c", settings.string()};
  return program;
}

/// A peer whose library is linked into a small program of ours, where it was there at build time.
Program linked_peer(const std::string& name, const std::string& package, Wire wire) {
  const auto file = beside("sluice-bench-" + name);
  if (access(file.c_str(), X_OK) != 0) throw Unavailable("built without " + package);
  Program program;
  choose_endpoints(program);
  program.wire = wire;
  program.command = {file.string(), program.front, program.back};
  return program;
}

}  // namespace

std::string find_program(const std::string& name, const std::vector<fs::path>& folders) {
  std::vector<fs::path> all = folders;
  const char* const path = std::getenv("PATH");
  std::istringstream in(path == nullptr ? "" : path);
  for (std::string folder; std::getline(in, folder, ':');) all.emplace_back(folder);
  // Where servers are, which an ordinary user's PATH leaves out.
  all.emplace_back("/usr/local/sbin");
  all.emplace_back("/usr/sbin");
  for (const auto& folder : all) {
    const auto file = folder / name;
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0) {
      return file.string();
    }
  }
  return {};
}

std::string sidecar_settings(const Program& program, const PathOptions& options,
                             const std::string& engine) {
  std::ostringstream out;
  out << "[route bench]\n"
      << "inbound_poll_rate = " << options.inbound_poll_rate << '\n'
      << "max_command_delay = " << options.max_command_delay.count() << "us\n";
  if (options.adaptive) {
    out << "tuning = adaptive\nlatency_budget = " << options.hold.count() << "us\n";
  } else {
    out << "coalesce_delay = " << options.hold.count() << "us\n";
  }
  out << "[source feed]\n"
      << "bind = " << program.front << '\n'
      << "recv_hwm = " << options.recv_hwm << '\n'
      << "[sink edge]\n"
      << "engine = " << engine << '\n'
      << "bind = " << program.back << '\n'
      << "send_hwm = " << options.send_hwm << '\n'
      << "on_full = " << (options.block ? "block" : "drop") << '\n';
  return out.str();
}

Program make_program(const std::string& variant, const PathOptions& options,
                     const fs::path& folder) {
  if (variant == "sidecar") return sidecar(options, folder, "native");
  if (variant == "sidecar_zmq") return sidecar(options, folder, "zmq");
  if (variant == "stock") return stock(options);
  if (variant == "nats") return nats();
  if (variant == "mosquitto") return mosquitto(folder);
  if (variant == "zproxy") return linked_peer("zproxy", "libczmq-dev", Wire::zmtp);
  if (variant == "nng") return linked_peer("nng", "libnng-dev", Wire::sp);
  throw Unavailable("no program " + variant);
}

}  // namespace sluice::bench
