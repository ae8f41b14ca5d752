// SPDX-License-Identifier: Apache-2.0
#include "paths/paths.hpp"

#include <string_view>

namespace sluice::bench {

namespace {

constexpr std::string_view k_process_prefix = "process:";

}  // namespace

std::unique_ptr<Path> make_path(const std::string& variant, void* context, PathOptions options) {
  if (variant == "stock") return make_stock_path(context, std::move(options));
  if (variant == "zmq") return make_route_path(context, std::move(options), false);
  if (variant == "native") return make_route_path(context, std::move(options), true);
  if (variant == "polled") return make_polled_path(context, std::move(options));
  if (variant == "direct") return make_direct_path(options);
  if (variant == "wire") return make_wire_path(options);
  if (variant == "loop") {
    options.transport = "ipc";
    return make_wire_path(options);
  }
  if (variant == "multicast") return make_multicast_path();
  if (variant == "null") return make_null_path(context, std::move(options));
  if (variant == "external") return make_external_path(std::move(options));
  if (variant.starts_with(k_process_prefix)) {
    return make_separate_path(variant.substr(k_process_prefix.size()), std::move(options));
  }
  throw Unavailable("no variant " + variant);
}

}  // namespace sluice::bench
