# SPDX-License-Identifier: Apache-2.0
# Run at every build; writes the header only when something changed.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=10 --exclude=*
  OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
if(NOT result EQUAL 0 AND DEFINED ENV{SLUICE_REVISION})  # an image is built without the history
  set(hash "$ENV{SLUICE_REVISION}")
  set(result 0)
endif()
if(NOT result EQUAL 0)
  set(hash "unknown revision")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// SPDX-License-Identifier: Apache-2.0
// Generated.
#pragma once

namespace sluice::app {
inline constexpr const char* k_git_hash = \"@hash@\";
inline constexpr const char* k_build_type = \"@BUILD_TYPE@\";
}  // namespace sluice::app
" @ONLY)
