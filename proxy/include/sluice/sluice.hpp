// SPDX-License-Identifier: Apache-2.0
// Everything a host program needs.
#pragma once

#include <sluice/error.hpp>
#include <sluice/options.hpp>
#include <sluice/route.hpp>
#include <sluice/statistics.hpp>
#include <sluice/syscalls.hpp>
#include <sluice/tuning.hpp>
#include <sluice/version.hpp>
