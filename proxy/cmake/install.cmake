# SPDX-License-Identifier: Apache-2.0
# What others find: headers and libsluice.so by find_package(sluice) or pkg-config, and the programs.
# Components are the packages of proxy/cmake/packages.cmake: sidecar, library, dev, preload, bench.
include(CMakePackageConfigHelpers)

set(sluice_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)
install(TARGETS sluice EXPORT sluice
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY proxy/include/sluice DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(EXPORT sluice NAMESPACE sluice:: FILE sluiceTargets.cmake DESTINATION ${sluice_cmake_dir}
  COMPONENT dev)

configure_package_config_file(proxy/cmake/sluiceConfig.cmake.in sluiceConfig.cmake
  INSTALL_DESTINATION ${sluice_cmake_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(sluiceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sluiceConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/sluiceConfigVersion.cmake DESTINATION ${sluice_cmake_dir}
  COMPONENT dev)

# The .pc file finds its own place, so that a tree installed with another --prefix works unedited.
file(RELATIVE_PATH sluice_pc_prefix
  /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(proxy/cmake/sluice.pc.in sluice.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sluice.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT documents OPTIONAL)
