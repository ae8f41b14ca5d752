# SPDX-License-Identifier: Apache-2.0
"""Field reports FLOW, SEC and OPS that need real processes."""
import os
import random
import signal
import socket

import pytest

from support.sidecar import run
from support.wait import FACTOR, eventually, patience


def scaled(count):
    return max(1, int(count / FACTOR))


def paced(sidecar, writer, reader, bursts, **job):
    """Bursts no larger than the marks: whatever a reader that keeps up loses is the proxy's."""
    before = reader.total()
    for burst in range(bursts):
        writer.send(500, **job)
        reader.expect(before + 500 * (burst + 1), timeout=patience(20))


def test_F_01_a_frozen_subscriber_hurts_only_itself(basic, publisher, subscriber):
    sidecar = basic(policy="drop")
    frozen = subscriber(sidecar.tcp, hwm=10)
    fast = subscriber(sidecar.tcp)
    sidecar.attached(edge=2)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    frozen.freeze()
    paced(sidecar, writer, fast, scaled(60), size=1000)
    assert fast.report()["sources"]["0"]["gaps"] == 0
    frozen.thaw()


def test_F_03_a_killed_subscriber_that_returns_gets_nothing_stale(basic, publisher, subscriber):
    sidecar = basic(policy="drop")
    gone = subscriber(sidecar.tcp, hwm=10)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    gone.freeze()
    writer.send(1000, size=1000)
    eventually(lambda: sidecar.statistics()[6] == 1000)
    gone.kill()
    eventually(lambda: sidecar.sink("edge")["peers"] == 0)
    back = subscriber(sidecar.tcp)
    sidecar.attached(edge=1)
    writer.subscribed(b"")
    writer.send(10)
    back.expect(10)
    assert back.report()["sources"]["0"]["first"] == 1000


def test_F_08_memory_stays_flat_with_a_stopped_subscriber(basic, publisher, subscriber):
    sidecar = basic(policy="drop", sink="send_hwm = 1\nsndbuf = 4096", source="recv_hwm = 100")
    stopped = subscriber(sidecar.tcp, hold=True, hwm=1, rcvbuf=4096)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(2000, size=1000)
    eventually(lambda: sidecar.statistics()[6] == 2000)
    before = sidecar.resident()
    count = scaled(100_000)
    writer.send(count, size=1000, timeout=patience(60))
    eventually(lambda: sidecar.statistics()[6] == 2000 + count, patience(30))
    # A sanitizer keeps freed memory for a while.
    assert sidecar.resident() < before + (2 << 20) * int(patience(1)) ** 3
    assert stopped.process.poll() is None


@pytest.mark.parametrize("threads", ["0", "100000"])
def test_F_10_odd_numbers_of_io_threads_are_refused(scratch, threads):
    path = os.path.join(scratch, "x.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"[process]\nio_threads = {threads}\n[source s]\nbind = ipc://{scratch}/s\n"
                   f"[sink k]\nbind = ipc://{scratch}/k\n")
    done = run("check", "-c", path)
    assert done.returncode == 78 and "io_threads" in done.stderr and "64" in done.stderr


@pytest.mark.parametrize("threads", ["1", "4"])
def test_F_10_io_threads_let_traffic_pass(basic, publisher, subscriber, threads):
    sidecar = basic(extra=f"[process]\nio_threads = {threads}")
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(1000)
    reader.expect(1000)


def test_Q_01_a_tap_copies_everything(basic, publisher, subscriber, scratch):
    import zmq
    sidecar = basic(extra=f"[tap audit]\nbind = ipc://{scratch}/tap.sock")
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    context = zmq.Context()
    with context.socket(zmq.PULL) as tap:
        tap.setsockopt(zmq.RCVTIMEO, int(patience() * 1000))
        tap.setsockopt(zmq.RCVHWM, 0)
        tap.connect(f"ipc://{scratch}/tap.sock")
        def linked():  # a push socket takes nothing before its reader is there
            writer.raw(b"probe")
            return tap.poll(50)
        eventually(linked)
        writer.send(1000, parts=2)
        frames = tap.recv_multipart()
        while frames == [b"probe"]:
            frames = tap.recv_multipart()
        for number in range(1000):
            assert len(frames) == 2 and frames[1] == b"part"
            frames = tap.recv_multipart() if number < 999 else frames
        assert not tap.poll(0)
    context.destroy(linger=0)


def test_E_02_junk_has_no_effect(basic, publisher, subscriber):
    sidecar = basic()
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    rng = random.Random(2)

    def junk(count):
        for _ in range(count):
            with socket.create_connection(("127.0.0.1", sidecar.port)) as connection:
                try:
                    connection.sendall(rng.randbytes(rng.randrange(4096)))
                except OSError:
                    pass  # it was cut while it talked

    junk(scaled(200))
    descriptors, memory = sidecar.descriptors(), sidecar.resident()
    junk(scaled(1000))
    writer.send(1000)
    reader.expect(1000)
    eventually(lambda: sidecar.descriptors() <= descriptors + 3, patience(35))
    if FACTOR == 1:
        assert sidecar.resident() < memory + (8 << 20)
    sidecar.assert_alive()


def test_a_reload_during_a_drain_changes_nothing(basic, publisher, subscriber):
    sidecar = basic(policy="block", route="linger = 3s", sink="send_hwm = 10",
                    source="recv_hwm = 10")
    reader = subscriber(sidecar.tcp, hold=True, hwm=10, rcvbuf=4096)
    writer = publisher(sidecar.source, hwm=10)
    writer.subscribed(b"")
    writer.send(1 << 30, size=100_000, wait=False)
    eventually(lambda: sidecar.statistics()[0] > 20)
    sidecar.send_signal(signal.SIGTERM)
    eventually(lambda: sidecar.log("drain|TERM|terminat|stopping") or
               sidecar.process.poll() is not None)
    for _ in range(5):
        sidecar.send_signal(signal.SIGHUP)
    assert sidecar.wait(patience(10)) in (0, 1)
    assert reader.process.poll() is None


def test_J_05_a_descriptor_limit_that_is_too_low_is_refused(scratch):
    import pathlib
    import resource
    import subprocess
    from support.sidecar import BINARY
    path = pathlib.Path(scratch) / "low.ini"
    path.write_text("[source a]\nbind = ipc://%s/in\n[sink b]\nbind = ipc://%s/out\n" % (scratch, scratch))
    done = subprocess.run([BINARY, "run", "-c", str(path)], capture_output=True, text=True, timeout=30,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32)))
    assert done.returncode == 1
    assert "RLIMIT_NOFILE" in done.stderr and "32" in done.stderr
