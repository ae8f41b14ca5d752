# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the system tests: real processes around the built sidecar (SLUICE_BINARY)."""
import contextlib
import os
import shutil
import tempfile

import pytest

from support import sidecar as sidecar_module
from support.admin import Admin, section
from support.peers import Publisher, Subscriber
from support.ports import free_port
from support.sidecar import Sidecar
from support.wait import FACTOR

ENGINES_ASKED = os.environ.get("SLUICE_TEST_ENGINES", "")


def _engines():
    if ENGINES_ASKED:
        return ENGINES_ASKED.split(",")
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:  # ask the product itself
        probe = Sidecar(directory, f"[source s]\nbind = ipc://{directory}/s\n"
                        "[sink k]\nengine = native\nbind = tcp://127.0.0.1:*\n", ready=False)
        try:
            probe.wait_log(r"\bready\b")
            return ["zmq", "native"] if probe.sink("k")["engine"] == "native" else ["zmq"]
        except AssertionError:
            return ["zmq"]
        finally:
            probe.cleanup()


def pytest_configure(config):
    if not os.access(sidecar_module.BINARY, os.X_OK):
        raise pytest.UsageError("SLUICE_BINARY must name the built sidecar")


def pytest_generate_tests(metafunc):
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", _engines())


@pytest.fixture
def scratch():
    """A fresh directory with a short path (ipc paths end at 107 bytes)."""
    path = tempfile.mkdtemp(prefix="sluice-", dir="/tmp")
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def cleanup():
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def sidecar(scratch, cleanup, request):
    """Starts sidecars; shows their logs when the test fails."""
    def start(ini, *args, **options):
        started = Sidecar.__new__(Sidecar)
        cleanup.callback(lambda: hasattr(started, "process") and started.cleanup())
        cleanup.callback(lambda: print(f"--- log of {started.command}:\n{started.err.text()}")
                         if hasattr(started, "err") else None)
        started.__init__(scratch, ini, *args, **options)
        return started
    return start


def _factory(cleanup, kind):
    def start(*args, **options):
        peer = kind(*args, **options)
        cleanup.callback(peer.kill)
        return peer
    return start


@pytest.fixture
def publisher(cleanup):
    return _factory(cleanup, Publisher)


@pytest.fixture
def subscriber(cleanup):
    return _factory(cleanup, Subscriber)


@pytest.fixture
def basic(scratch, port, sidecar, engine):
    """One source on ipc, a tcp sink "edge" and an ipc sink "local" in one route."""
    def start(*args, policy="block", route="", sink="", source="", extra="", **options):
        if FACTOR > 1 and "linger" not in route:  # a sanitized stop takes longer
            route += f"\nlinger = {int(500 * FACTOR)}ms"
        started = sidecar(f"""
[route market]
{route}
[source feed]
bind = ipc://{scratch}/in.sock
{source}
[sink edge]
engine = {engine}
bind = tcp://127.0.0.1:{port}
on_full = {policy}
{sink}
[sink local]
engine = {engine}
bind = ipc://{scratch}/out.sock
on_full = {policy}
{sink}
{extra}
""", *args, **options)
        started.source = f"ipc://{scratch}/in.sock"
        started.tcp = f"tcp://127.0.0.1:{port}"
        started.ipc = f"ipc://{scratch}/out.sock"
        started.port = port
        return started
    return start


@pytest.fixture
def admin(basic, scratch):
    """The sidecar of `basic` with an admin server, and a client of it."""
    def start(*args, changes=True, more="", **options):
        port = free_port()
        extra = section(scratch, port, changes, more)
        started = basic(*args, extra=extra, **options)
        return started, Admin(port)
    return start
