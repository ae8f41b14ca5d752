// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "path.hpp"

namespace sluice::bench {

// One function a variant, one file each; `make_path` picks by name.
std::unique_ptr<Path> make_stock_path(void* context, PathOptions options);
std::unique_ptr<Path> make_route_path(void* context, PathOptions options, bool native);
std::unique_ptr<Path> make_polled_path(void* context, PathOptions options);
std::unique_ptr<Path> make_direct_path(const PathOptions& options);
std::unique_ptr<Path> make_wire_path(const PathOptions& options);
std::unique_ptr<Path> make_multicast_path();
std::unique_ptr<Path> make_null_path(void* context, PathOptions options);
std::unique_ptr<Path> make_separate_path(const std::string& variant, PathOptions options);
std::unique_ptr<Path> make_external_path(PathOptions options);

}  // namespace sluice::bench
