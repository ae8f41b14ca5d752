# SPDX-License-Identifier: Apache-2.0
# Makes a source file of a page: cmake -DPAGE=in.html -DOUTPUT=out.cpp -P embed_page.cmake
file(READ ${PAGE} page)
string(FIND "${page}" ")sluice-page\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${PAGE} holds the end mark of its own literal")
endif()
file(WRITE ${OUTPUT} "// SPDX-License-Identifier: Apache-2.0
// Generated.
#include \"app/admin/page.hpp\"

namespace sluice::app {

std::string_view page_text() noexcept {
  return R\"sluice-page(${page})sluice-page\";
}

}  // namespace sluice::app
")
