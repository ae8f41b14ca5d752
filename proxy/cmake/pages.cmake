# SPDX-License-Identifier: Apache-2.0
# Man pages and bash completion, made from the program's own tables whenever those change.
install(FILES proxy/include/libsluice.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3 COMPONENT dev)
if(NOT TARGET sluice_app)
  return()
endif()

set(pages ${CMAKE_CURRENT_BINARY_DIR}/pages)
file(MAKE_DIRECTORY ${pages})
set(made sluice.1 sluice.conf.5 sluice.bash)
set(help -)
set(help_command)
if(TARGET sluice-bench)
  list(APPEND made sluice-bench.1)
  set(help ${pages}/bench-help)
  # Google Benchmark leaves with 0 before any work; its own flags come after ours.
  set(help_command COMMAND sh -c "\"$1\" --help >\"$2\" 2>&1" sh $<TARGET_FILE:sluice-bench> ${help})
endif()
set(outputs ${made})
list(TRANSFORM outputs PREPEND ${pages}/)
add_custom_command(OUTPUT ${outputs}
  ${help_command}
  COMMAND sluice-pages ${pages} ${help}
  DEPENDS sluice-pages $<$<TARGET_EXISTS:sluice-bench>:sluice-bench>
  COMMENT "Man pages and completion" VERBATIM)
add_custom_target(sluice_man ALL DEPENDS ${outputs})

install(FILES ${pages}/sluice.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT pages)
install(FILES ${pages}/sluice.conf.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT pages)
install(FILES ${pages}/sluice.bash RENAME sluice
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT pages)
if(TARGET sluice-bench)
  install(FILES ${pages}/sluice-bench.1
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT bench_pages)
endif()
