// SPDX-License-Identifier: Apache-2.0
// The sidecar's configuration: file, environment and flags to checked options.
#pragma once

#include "diff.hpp"
#include "keys.hpp"
#include "load.hpp"
#include "loaded.hpp"
#include "show.hpp"
