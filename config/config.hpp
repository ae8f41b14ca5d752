// SPDX-License-Identifier: Apache-2.0
// The sidecar's configuration: file, environment and flags to checked options.
#pragma once

#include "config/diff.hpp"
#include "config/keys.hpp"
#include "config/load.hpp"
#include "config/loaded.hpp"
#include "config/show.hpp"
