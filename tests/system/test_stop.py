# SPDX-License-Identifier: Apache-2.0
"""Field reports TERM: signals, deadlines, what still arrives, exit codes."""
import os
import shutil
import signal
import time

import pytest

from support.sidecar import port_is_free
from support.wait import FACTOR, eventually, patience


@pytest.fixture
def loaded(basic, publisher, subscriber):
    """Under flood, with a reader."""
    def start(*args, **options):
        sidecar = basic(*args, **options)
        reader = subscriber(sidecar.tcp)
        writer = publisher(sidecar.source)
        writer.subscribed(b"")
        writer.send(1 << 40, wait=False)
        eventually(lambda: sidecar.statistics()[0] > 1000)
        return sidecar, writer, reader
    return start


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_X_06_stops_when_idle(basic, number):
    sidecar = basic()
    began = time.monotonic()
    assert sidecar.stop(number) == 0
    assert time.monotonic() - began < patience(1)
    assert sidecar.log("stopped|drained|terminated"), "the reason is logged"


def test_X_06_a_signal_to_any_thread_stops_it(basic):
    names = set()
    sidecar = basic(name="count")
    wanted = sidecar.threads()
    assert sidecar.stop() == 0
    assert wanted >= 4
    for number in range(wanted):
        sidecar = basic(name=f"s{number}")
        thread = sorted(map(int, os.listdir(f"/proc/{sidecar.pid}/task")))[number]
        with open(f"/proc/{sidecar.pid}/task/{thread}/comm", encoding="ascii") as file:
            names.add(file.read().strip())
        os.kill(thread, signal.SIGTERM)  # as a process list that shows threads does
        assert sidecar.wait() == 0, names
    assert len(names) >= 3, names


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_X_08_stops_under_flood(loaded, number):
    sidecar, *_ = loaded()
    began = time.monotonic()
    assert sidecar.stop(number) == 0
    assert time.monotonic() - began < patience(1.5)


def test_X_06_final_counters_are_logged(loaded):
    sidecar, *_ = loaded()
    assert sidecar.stop() == 0
    assert any(any(len(w.strip(",;")) >= 4 and w.strip(",;").isdigit() for w in
                   line.replace("=", " ").split()) for line in sidecar.log("messages|received")), \
        sidecar.err.text()


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="needs root")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_X_06_as_pid_1(basic, number):
    sidecar = basic(wrapper=["unshare", "--pid", "--fork", "--kill-child"])
    assert sidecar.status()["pid"] == 1
    with open(f"/proc/{sidecar.pid}/task/{sidecar.pid}/children", encoding="ascii") as children:
        (child,) = children.read().split()
    os.kill(int(child), number)
    assert sidecar.wait(patience(2)) == 0


def test_a_second_signal_leaves_at_once(basic, publisher, subscriber):
    sidecar = basic(policy="block", route="linger = 60s")
    subscriber(sidecar.tcp, hold=True, hwm=1, rcvbuf=4096)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(1 << 40, size=1000, wait=False)
    sidecar.stands_still()
    sidecar.send_signal(signal.SIGTERM)
    sidecar.wait_log("drain")
    sidecar.send_signal(signal.SIGTERM)
    assert sidecar.wait(patience(2)) in (0, 1)


def test_usr1_pauses_and_usr2_resumes(basic, publisher, subscriber):
    sidecar = basic()
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    sidecar.send_signal(signal.SIGUSR1)
    eventually(lambda: sidecar.state() == "paused")
    writer.send(10)
    assert reader.total() == 0
    sidecar.send_signal(signal.SIGUSR2)
    reader.expect(10)
    assert sidecar.state() == "running"


def test_hup_does_not_stop_it(basic, publisher, subscriber):
    sidecar = basic()
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    sidecar.send_signal(signal.SIGHUP)
    sidecar.wait_log("(?i)reload|HUP")
    writer.send(10)
    reader.expect(10)
    assert sidecar.state() == "running"


def test_for_ends_by_itself(basic):
    sidecar = basic("--for", "700ms")
    assert sidecar.wait(patience(5)) == 0
    assert time.monotonic() - sidecar.began >= 0.7


@pytest.mark.parametrize("state", ["idle", "flood", "paused", "no peers", "stopped peer"])
def test_X_01_terminate_from_every_state(basic, publisher, subscriber, state):
    sidecar = basic(policy="drop")
    if state != "idle":
        writer = publisher(sidecar.source)
    if state not in ("idle", "no peers"):
        reader = subscriber(sidecar.tcp)
        writer.subscribed(b"")
        writer.send(1 << 40, wait=False)
        eventually(lambda: sidecar.statistics()[0] > 1000)
    if state == "paused":
        sidecar.request("PAUSE")
    if state == "stopped peer":
        reader.freeze()
    began = time.monotonic()
    assert sidecar.request("TERMINATE") == [b""]
    assert sidecar.wait(patience(2)) == 0
    assert time.monotonic() - began < 1 * FACTOR
    if state == "stopped peer":
        reader.thaw()


def test_X_03_no_stall_with_undelivered_messages(sidecar, scratch, port, publisher):
    started = sidecar(f"""
[route market]
linger = 300ms
subscribe = ""
[source feed]
bind = ipc://{scratch}/in.sock
[sink hole]
engine = zmq
connect = tcp://127.0.0.1:{port}
on_full = block
""")
    writer = publisher(f"ipc://{scratch}/in.sock")
    writer.subscribed(b"")
    writer.send(100)
    began = time.monotonic()
    assert started.stop() == 0
    assert time.monotonic() - began < 0.3 + patience(0.5)


def test_X_03_nor_behind_a_subscriber_that_is_stuck(basic, publisher, subscriber):
    sidecar = basic(policy="block", route=f"linger = {int(300 * FACTOR)}ms")
    stuck = subscriber(sidecar.tcp, hold=True, hwm=10, rcvbuf=4096)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(1 << 40, size=10_000, wait=False)
    sidecar.stands_still()
    began = time.monotonic()
    assert sidecar.request("TERMINATE") == [b""]
    assert sidecar.wait() in (0, 1)
    assert time.monotonic() - began < 0.3 * FACTOR + patience(1.5)
    assert stuck.process.poll() is None


def test_X_04_what_was_accepted_arrives(basic, publisher, subscriber):
    sidecar = basic()
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(1000)
    eventually(lambda: sidecar.statistics()[6] == 1000)
    sidecar.request("TERMINATE")
    assert sidecar.wait() == 0
    reader.expect(1000)


def test_X_04_term_drains_what_the_sources_hold(basic, publisher, subscriber):
    sidecar = basic(route="linger = 4s")
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    sidecar.request("PAUSE")
    writer.send(1000)
    assert sidecar.stop() == 0
    reader.expect(1000)


def test_everything_is_released(loaded, scratch):
    sidecar, writer, reader = loaded()
    reader.kill()
    assert sidecar.stop() == 0
    assert port_is_free(sidecar.port)
    left = [n for n in os.listdir(scratch) if n.endswith(".sock")]
    assert left == []


def test_a_signal_storm_changes_nothing(loaded):
    sidecar, writer, reader = loaded(policy="block")
    for _ in range(200):
        sidecar.send_signal(signal.SIGUSR1)
        sidecar.send_signal(signal.SIGUSR2)
        sidecar.send_signal(signal.SIGWINCH)
    sidecar.request("RESUME")
    before = reader.total()
    eventually(lambda: reader.total() > before + 1000)
    writer.tell("stop")
    count = writer.wait("sent")["count"]
    reader.expect(count)
    assert reader.report()["sources"]["0"]["gaps"] == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_leaves_at_once_and_leaves_no_files(loaded, scratch, number):
    sidecar, _, reader = loaded(route="linger = 1h", extra=f"[process]\npid_file = {scratch}/pid\n")
    files = ["in.sock", "out.sock", "sluice-control.sock", "pid"]
    assert all(os.path.exists(f"{scratch}/{name}") for name in files)
    reader.freeze()
    sidecar.send_signal(number)
    sidecar.wait_log("stopping")
    sidecar.send_signal(number)
    assert sidecar.wait() == 1
    assert sidecar.log("a second signal")
    assert not [name for name in os.listdir(scratch) if name.endswith(".sock")]
    assert not os.path.exists(f"{scratch}/pid")
