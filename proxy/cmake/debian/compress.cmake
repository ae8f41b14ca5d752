# SPDX-License-Identifier: Apache-2.0
# Run by cpack between staging and packing: Debian's manual pages are compressed, without a date.
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.[135]")
foreach(page IN LISTS pages)
  if(page MATCHES "/share/man/man[135]/" AND NOT IS_SYMLINK ${page})
    execute_process(COMMAND gzip -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
