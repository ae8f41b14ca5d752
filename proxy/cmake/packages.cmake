# SPDX-License-Identifier: Apache-2.0
# Debian packages, as Debian would cut them: cmake --preset package, build, then `cpack` in
# build/package. One package a group of install components.
if(NOT TARGET sluice_app OR NOT TARGET sluice_preload OR NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  return()
endif()

set(SLUICE_MAINTAINER "Sluice maintainers <sluice@noreply.example.org>" CACHE STRING "For the packages")
set(release 1)
set(version ${PROJECT_VERSION}-${release})

install(FILES config/sluice.ini DESTINATION /etc/sluice COMPONENT sidecar)

# What Debian wants of every package: copyright and changelog.
set(debian ${CMAKE_CURRENT_BINARY_DIR}/debian)
file(CONFIGURE OUTPUT ${debian}/changelog CONTENT
"sluice (${version}) unstable; urgency=medium

  * Release ${PROJECT_VERSION}; the project's CHANGELOG.md has the changes.

 -- ${SLUICE_MAINTAINER}  Tue, 01 Dec 2026 00:00:00 +0000
" @ONLY)
find_program(GZIP gzip REQUIRED)
execute_process(COMMAND ${GZIP} -9nfk ${debian}/changelog COMMAND_ERROR_IS_FATAL ANY)

set(groups)
function(sluice_package group name summary text)
  set(components ${ARGN})
  install(FILES proxy/cmake/debian/copyright DESTINATION share/doc/${name} COMPONENT ${group}_documents)
  install(FILES ${debian}/changelog.gz RENAME changelog.Debian.gz DESTINATION share/doc/${name}
    COMPONENT ${group}_documents)
  foreach(component IN LISTS components ITEMS ${group}_documents)
    string(TOUPPER ${component} upper)
    set(CPACK_COMPONENT_${upper}_GROUP ${group} PARENT_SCOPE)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
  endforeach()
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} PARENT_SCOPE)
  string(TOUPPER ${group} upper)
  set(CPACK_COMPONENT_GROUP_${upper}_DESCRIPTION ${text} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_FILE_NAME DEB-DEFAULT PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
endfunction()

sluice_package(sluice sluice "fast, steerable ZeroMQ publisher proxy"
"Forwards many ZeroMQ publishers to subscribers on tcp and ipc. How often
it looks at commands and how long it gathers messages can be set while it
runs; what it does is counted, system calls included. This package has the
program, its configuration and its manual pages."
  sidecar pages)
sluice_package(library libsluice0 "steerable ZeroMQ proxy, shared library"
"Embeds the proxy in a program: routes in the program's own ZeroMQ
context, and a drop-in for zmq_proxy_steerable(3)."
  library)
sluice_package(dev libsluice-dev "steerable ZeroMQ proxy, development files"
"Headers, CMake and pkg-config files of libsluice, and its manual page."
  dev)
sluice_package(preload libsluice-preload "steerable ZeroMQ proxy for unchanged programs"
"A library to preload under a program that calls zmq_proxy(3) or
zmq_proxy_steerable(3)."
  preload)
if(TARGET sluice-bench)
  sluice_package(bench sluice-bench "what a ZeroMQ proxy costs and what it buys, measured"
"Benchmarks of sluice's engines beside libzmq's own proxy: throughput, CPU
time and system calls per message, latency, fan-out, memory."
    bench bench_pages)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sluice)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${SLUICE_MAINTAINER})
set(CPACK_PACKAGE_VENDOR Sluice)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY FALSE)  # else it comes before every package's own
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_SET_DESTDIR ON)  # /etc is not under the prefix
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/proxy/cmake/debian/compress.cmake)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${release})
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${SLUICE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_SLUICE_PACKAGE_SECTION net)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PRELOAD_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_BENCH_PACKAGE_SECTION net)
set(CPACK_DEBIAN_BENCH_PACKAGE_RECOMMENDS "sluice (= ${version})")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libsluice0 (= ${version}), libzmq3-dev, cppzmq-dev")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
foreach(package IN ITEMS SLUICE LIBRARY PRELOAD)
  set(CPACK_DEBIAN_${package}_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/proxy/cmake/debian/triggers)
endforeach()
list(APPEND CPACK_DEBIAN_SLUICE_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/proxy/cmake/debian/conffiles)
if(EXISTS ${PROJECT_SOURCE_DIR}/config/systemd)
  foreach(script IN ITEMS postinst prerm postrm)
    list(APPEND CPACK_DEBIAN_SLUICE_PACKAGE_CONTROL_EXTRA
      ${PROJECT_SOURCE_DIR}/proxy/cmake/debian/${script})
  endforeach()
endif()
include(CPack)
