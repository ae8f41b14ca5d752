# SPDX-License-Identifier: Apache-2.0
"""Deadlines. Sanitizer runs multiply them by SLUICE_TEST_PATIENCE."""
import os
import time

FACTOR = float(os.environ.get("SLUICE_TEST_PATIENCE", "1"))


def patience(seconds=10.0):
    """How long to wait for something that normally takes milliseconds."""
    return seconds * FACTOR


def eventually(condition, timeout=None, what=None):
    """The first true value of `condition()`; fails once `timeout` has passed.

    For what can only be asked (a counter, a state); where something announces itself, wait for
    that. Pauses between two questions, so that the asking does not disturb the asked.
    """
    end = time.monotonic() + (patience() if timeout is None else timeout)
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"did not happen in time: {what or condition}, last: {value!r}")
        time.sleep(0.02)


def stays(condition, seconds, what=None):
    """Fails as soon as `condition()` stops being true within `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert condition(), f"did not stay: {what or condition}"
        time.sleep(0.02)
