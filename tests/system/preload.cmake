# SPDX-License-Identifier: Apache-2.0
# Programs under libsluice_preload.so. (An instrumented library cannot be preloaded under a program
# that is not.)
if(TARGET sluice_preload AND NOT SLUICE_SANITIZE)
  add_test(NAME system.preload
    COMMAND ${SLUICE_PYTHON} -m pytest -q -rfEs --tb=short -p no:cacheprovider --noconftest
      ${CMAKE_CURRENT_SOURCE_DIR}/test_preload.py)
  set_tests_properties(system.preload PROPERTIES LABELS system TIMEOUT 300 ENVIRONMENT
    "SLUICE_PRELOAD=$<TARGET_FILE:sluice_preload>;PYTHONDONTWRITEBYTECODE=1")

  # The suites that come with Debian's python3-zmq, as they are.
  set(suites /usr/lib/python3/dist-packages/zmq/tests)
  if(EXISTS ${suites}/test_proxy_steerable.py)
    add_test(NAME system.preload_debian
      COMMAND ${CMAKE_COMMAND} -E env LD_PRELOAD=$<TARGET_FILE:sluice_preload>
        ${SLUICE_PYTHON} -m pytest -q -rfE --tb=short -p no:cacheprovider ${suites}/test_device.py
        ${suites}/test_proxy_steerable.py ${suites}/test_monqueue.py)
    set_tests_properties(system.preload_debian PROPERTIES LABELS system TIMEOUT 300 ENVIRONMENT
      PYTHONDONTWRITEBYTECODE=1)
  endif()
endif()
