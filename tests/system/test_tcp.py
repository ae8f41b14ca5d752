# SPDX-License-Identifier: Apache-2.0
"""Field reports TCP."""
import os
import socket
import time

import pytest
import zmq

from support.ports import free_port
from support.sidecar import port_is_free, run
from support.wait import FACTOR, eventually, patience


def ini(scratch, sink, source=None):
    return (f"[source feed]\n{source or f'bind = ipc://{scratch}/in.sock'}\n"
            f"[sink edge]\n{sink}\n")


def test_N_01_restart_on_the_same_port_with_live_subscribers(basic, subscriber):
    sidecar = basic()
    for _ in range(3):
        subscriber(sidecar.tcp)
    sidecar.attached(edge=3)
    for _ in range(50 if FACTOR == 1 else 10):
        assert sidecar.stop() == 0
        sidecar.start()
        assert sidecar.log(r"\bready\b")
    sidecar.attached(edge=3)


def test_S_03_subscriptions_come_back_after_a_restart(basic, publisher, cleanup):
    sidecar = basic()
    topics = [b"%d." % i for i in range(20)]
    context = zmq.Context()
    cleanup.callback(lambda: context.destroy(linger=0))
    readers = [context.socket(zmq.SUB) for _ in range(20)]
    for number, reader in enumerate(readers):
        reader.setsockopt(zmq.SUBSCRIBE, b"~%d" % number)  # told last, in the order of bytes
        reader.setsockopt(zmq.RECONNECT_IVL, 20)
        reader.setsockopt(zmq.RECONNECT_IVL_MAX, 200)
        reader.setsockopt(zmq.RCVTIMEO, int(patience() * 1000))
        for topic in topics:
            reader.setsockopt(zmq.SUBSCRIBE, topic)
        reader.connect(sidecar.tcp)
    # libzmq's XPUB remembers a lost peer's subscriptions when it is the one that connects; verbose
    # tells those that come again.
    writer = publisher(sidecar.source, verbose=True)
    for topic in topics:
        writer.subscribed(topic)
    for _ in range(3):
        assert sidecar.stop() == 0
        sidecar.start()

        def all_back():  # a socket tells its subscriptions again when its owner looks at it
            for reader in readers:
                reader.poll(0)
            edge = sidecar.sink("edge")
            return edge["peers"] == 20 and edge["subscriptions"] == 40
        eventually(all_back)
        for topic in topics:
            writer.subscribed(topic)
        for topic in topics:
            writer.raw(topic + b"x")
        for reader in readers:
            assert [reader.recv() for _ in topics] == [t + b"x" for t in topics]


def test_N_02_second_sink_taken_names_it_and_releases_the_first(basic, scratch, port):
    ports = [free_port() for _ in range(2)]
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", ports[1]))
        holder.listen()
        path = os.path.join(scratch, "t.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"[source feed]\nbind = ipc://{scratch}/in.sock\n"
                       f"[sink first]\nbind = tcp://127.0.0.1:{ports[0]}\n"
                       f"bind = ipc://{scratch}/first.sock\n"
                       f"[sink second]\nbind = tcp://127.0.0.1:{ports[1]}\n"
                       f"[sink third]\nbind = tcp://127.0.0.1:{port}\n")
        done = run("run", "-c", path)
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert f"tcp://127.0.0.1:{ports[1]}" in done.stderr and " ready" not in done.stderr
    assert port_is_free(ports[0]) and port_is_free(port)
    assert os.listdir(scratch) == ["t.ini"]


def test_N_03_wildcard_port_is_reported(sidecar, scratch, subscriber, publisher, engine):
    started = sidecar(ini(scratch, f"engine = {engine}\nbind = tcp://127.0.0.1:*"))
    (endpoint,) = started.sink("edge")["endpoints"]
    assert endpoint.startswith("tcp://127.0.0.1:") and int(endpoint.rsplit(":", 1)[1]) > 0
    reader = subscriber(endpoint)
    writer = publisher(f"ipc://{scratch}/in.sock")
    writer.subscribed(b"")
    writer.send(1)
    reader.expect(1)


def test_N_03_connect_to_a_wildcard_is_refused(scratch, port):
    path = os.path.join(scratch, "t.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"[source feed]\nconnect = tcp://*:{port}\n[sink edge]\nbind = tcp://127.0.0.1:*\n")
    done = run("run", "-c", path)
    assert done.returncode in (1, 78) and f"tcp://*:{port}" in done.stderr


def test_N_04_an_interface_by_name(scratch, port, sidecar, subscriber, publisher, engine):
    started = sidecar(ini(scratch, f"engine = {engine}\nbind = tcp://lo:{port}"))
    started.assert_alive()
    reader, writer = subscriber(f"tcp://127.0.0.1:{port}"), publisher(f"ipc://{scratch}/in.sock")
    writer.subscribed(b"")
    writer.send(1)
    reader.expect(1)


@pytest.mark.parametrize("host, code, hint", [
    ("localhost", 78, "127.0.0.1"), ("some.host.invalid", 78, "interface"), ("nosuchif", 1, "interface")])
def test_N_04_host_names_are_refused_with_the_forms_allowed(scratch, port, sidecar, engine, host, code,
                                                            hint):
    started = sidecar(ini(scratch, f"engine = {engine}\nbind = tcp://{host}:{port}"), ready=False)
    assert started.wait() == code
    assert host in started.err.text() and hint in started.err.text()


def test_N_05_ipv4_and_ipv6_side_by_side(scratch, port, sidecar, subscriber, publisher, engine):
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("this kernel has no ::1")
    started = sidecar(f"""
[source feed]
bind = ipc://{scratch}/in.sock
[sink four]
engine = {engine}
bind = tcp://127.0.0.1:{port}
[sink six]
engine = {engine}
bind = tcp://[::1]:{port}
""")
    readers = [subscriber(f"tcp://127.0.0.1:{port}"), subscriber(f"tcp://[::1]:{port}", ipv6=True)]
    started.attached(four=1, six=1)
    writer = publisher(f"ipc://{scratch}/in.sock")
    writer.subscribed(b"")
    writer.send(10)
    for reader in readers:
        reader.expect(10)


def test_N_06_a_frozen_subscriber_of_a_drop_sink_is_cut_and_returns(basic, subscriber, publisher):
    sidecar = basic(policy="drop", sink="heartbeat_interval = 200ms\nheartbeat_timeout = 600ms")
    reader = subscriber(sidecar.tcp)
    sidecar.attached(edge=1)
    reader.freeze()
    eventually(lambda: sidecar.sink("edge")["peers"] == 0, timeout=patience(5))
    reader.thaw()
    sidecar.attached(edge=1)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(10)
    reader.expect(10)


def test_N_07_reconnects_back_off(sidecar, scratch, port):
    with socket.socket() as closed:  # bound, never listening: every attempt is refused
        closed.bind(("127.0.0.1", port))
        began = time.monotonic()
        started = sidecar(ini(scratch, "bind = tcp://127.0.0.1:*",
                              f"connect = tcp://127.0.0.1:{port}\nreconnect_interval = 100ms\n"
                              "reconnect_interval_max = 2s"))
        attempts = lambda: started.status()["syscalls"]["io"]["connect"]
        eventually(lambda: attempts() >= 6, timeout=patience(20))
        # 100 ms, 200, 400, 800 and 1.6 s lie between six attempts; a storm makes them in half a
        # second.
        assert time.monotonic() - began > 2.9 and attempts() <= 8
        started.assert_alive()


@pytest.mark.parametrize("values", ["reconnect_interval = 0", "reconnect_interval = -1",
                                    "reconnect_interval = 2s\nreconnect_interval_max = 1s"])
def test_N_07_odd_intervals_are_refused(sidecar, scratch, port, values):
    started = sidecar(ini(scratch, "bind = tcp://127.0.0.1:*",
                          f"connect = tcp://127.0.0.1:{port}\n{values}"), ready=False)
    assert started.wait() == 78 and "reconnect_interval" in started.err.text()


def test_N_08_link_comes_up_when_the_server_appears(sidecar, scratch, port, publisher, subscriber):
    started = sidecar(ini(scratch, f"bind = ipc://{scratch}/out.sock\non_full = block",
                          f"connect = tcp://127.0.0.1:{port}"))
    reader = subscriber(f"ipc://{scratch}/out.sock")
    started.attached(edge=1)
    writer = publisher(bind=f"tcp://127.0.0.1:{port}")
    writer.subscribed(b"", timeout=patience(5))
    writer.send(10)
    reader.expect(10)


def test_N_09_default_control_and_admin_listen_on_no_network(basic):
    sidecar = basic()
    ports = set()
    inodes = {os.readlink(f"/proc/{sidecar.pid}/fd/{fd}")
              for fd in os.listdir(f"/proc/{sidecar.pid}/fd")}
    for table in ("tcp", "tcp6"):
        with open(f"/proc/{sidecar.pid}/net/{table}", encoding="ascii") as file:
            for row in file.read().splitlines()[1:]:
                fields = row.split()
                if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                    ports.add(int(fields[1].rsplit(":", 1)[1], 16))
    assert ports == {sidecar.port}


def test_S_10_unsubscribe_of_unknown_topics_is_harmless(basic, publisher, subscriber):
    sidecar = basic()
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    context = zmq.Context()
    with context.socket(zmq.XSUB) as raw:
        raw.setsockopt(zmq.LINGER, 2000)
        raw.connect(sidecar.tcp)
        for i in range(10_000):
            raw.send(b"\0never%d" % i)
        raw.send(b"\1valid")
        writer.subscribed(b"valid")
    context.destroy()
    writer.send(10)
    reader.expect(10)
