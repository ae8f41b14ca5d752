// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/place.hpp"
#include "config/value.hpp"

#include <sluice/options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice::config {

enum class Pattern : std::uint8_t {
  even,    ///< each message at its own moment
  ticked,  ///< what is due once every millisecond
};

/// The built-in source: an inproc XPUB with synthetic load.
struct GeneratorOptions {
  std::string name;
  std::string route;
  std::uint64_t rate = 10'000;      ///< messages/s; 0 = as fast as possible
  std::size_t size = 100;           ///< bytes of the last frame
  std::vector<std::string> topics;  ///< taken in turn; the first frame's first bytes
  unsigned frames = 1;
  int send_hwm = 1000;
  Pattern pattern = Pattern::even;

  bool operator==(const GeneratorOptions&) const = default;
};

/// A shared object with `sluice_source_run`.
struct PluginOptions {
  std::string name;
  std::string route;
  std::string path;
  std::string args;
};

enum class ControlType : std::uint8_t { rep, router, pair, sub, pull };

/// The keys of a source, a sink or [control], Z85.
struct CurveKeys {
  std::string secret;
  std::string server;                               ///< where it connects: the other's public key
  std::optional<std::vector<std::string>> allowed;  ///< where it binds: nothing = anybody
};

/// A key file that was read.
struct KeyFile {
  std::string section;   ///< "sink.edge"
  std::string key;       ///< "curve_secret_file"
  std::size_t mark = 0;  ///< of its contents; says nothing about them
  Place place;
};

struct ControlOptions {
  std::vector<std::string> bind;
  ControlType type = ControlType::rep;
  sluice::IpcFileOptions ipc{.mode = 0600, .group = {}};
  sluice::CurveOptions curve{};
};

/// The HTTP server. Not made where `http` is empty.
struct AdminOptions {
  std::string address = "127.0.0.1";  ///< numeric
  std::uint16_t port = 0;             ///< 0 = any that is free
  bool changes = false;
  std::string token_file;
  bool paused_is_ready = true;
  unsigned max_connections = 64;
  std::chrono::milliseconds request_timeout{5'000};
};

enum class LogFormat : std::uint8_t { text, json };
enum class LogLevel : std::uint8_t { debug, info, warning, error };

struct LogOptions {
  LogFormat format = LogFormat::text;
  LogLevel level = LogLevel::info;
};

struct ProcessOptions {
  int io_threads = 1;
  int max_sockets = 1023;
  std::vector<int> io_cpus;  ///< the I/O threads' processors; empty = any
  std::string pid_file;      ///< empty = none
};

/// Everything a run needs, checked. A plain value; pointers to settings are to static storage.
struct LoadedConfig {
  std::vector<sluice::RouteOptions> routes;  ///< one at least
  std::vector<GeneratorOptions> generators;
  std::vector<PluginOptions> plugins;
  std::optional<ControlOptions> control;
  std::optional<AdminOptions> admin;
  LogOptions log;
  ProcessOptions process;

  std::map<std::string, CurveKeys> curve;  ///< by section; those without CURVE are not there
  std::vector<KeyFile> key_files;

  std::vector<Warning> warnings;  ///< for the log
  std::vector<Section> sections;  ///< the same as settings with their origins
};

}  // namespace sluice::config
