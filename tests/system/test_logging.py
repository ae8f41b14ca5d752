# SPDX-License-Identifier: Apache-2.0
"""The log: who steered, who came and went, what repeats, why the process ended; text and JSON."""
import json
import os
import re
import signal

import zmq

from support.ports import free_port
from support.sidecar import run
from support.wait import eventually


def test_steering_names_who_asked(basic):
    sidecar = basic()
    assert sidecar.request("PAUSE") == [b""]
    line = sidecar.wait_log(r"control: command PAUSE")
    assert f"(from pid {os.getpid()}, uid {os.getuid()})" in line
    sidecar.request("NO SUCH")
    assert f"pid {os.getpid()}" in sidecar.wait_log(r"rejected a command")


def test_steering_over_tcp_names_the_address(basic, scratch):
    port = free_port()
    sidecar = basic(extra=f"[control]\nbind = tcp://127.0.0.1:{port}\nallow_plain_tcp = yes\n")
    sidecar.control = f"tcp://127.0.0.1:{port}"
    sidecar.request("PAUSE")
    assert "(from 127.0.0.1)" in sidecar.wait_log(r"control: command PAUSE")


def test_commands_that_repeat_are_counted_not_logged_each(basic):
    sidecar = basic()
    with sidecar.requester() as req:
        for i in range(300):
            req.send(f"SET inbound_poll_rate {100 + i}".encode())
            assert req.recv().startswith(b"OK")
    assert sidecar.stop() == 0
    assert 1 <= len(sidecar.log("command SET")) <= 40


def test_peers_that_come_and_go_at_debug(basic, subscriber, publisher, engine):
    sidecar = basic("-v")
    reader = subscriber(sidecar.tcp)
    sidecar.wait_log(r"debug \[market\] sink edge: .*(joined|connected at)")
    writer = publisher(sidecar.source)
    sidecar.wait_log(r"debug \[market\] source feed: a publisher connected at ipc://")
    reader.kill()
    writer.kill()
    sidecar.wait_log(r"debug \[market\] sink edge: .*left")
    sidecar.wait_log(r"debug \[market\] source feed: a publisher left")


def test_the_level_is_live_and_info_has_no_peers(basic, subscriber):
    sidecar = basic()
    subscriber(sidecar.tcp)
    sidecar.attached(edge=1)
    assert not sidecar.log("joined|connected at")
    assert sidecar.request("SET log.level debug")[0].startswith(b"OK")
    subscriber(sidecar.ipc)
    sidecar.wait_log(r"debug .*sink local: .*(joined|connected at)")


def test_the_first_drop_of_a_tap_is_logged_once(basic, publisher, subscriber, scratch):
    sidecar = basic(extra=f"[tap audit]\nbind = ipc://{scratch}/tap.sock\n")
    reader = subscriber(sidecar.tcp)
    sidecar.attached(edge=1)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(1000)
    reader.expect(1000)
    sidecar.wait_log(r"warning \[market\] tap audit: ")
    assert len(sidecar.log("tap audit: ")) == 1


def test_a_life_in_the_log(basic):
    sidecar = basic()
    assert sidecar.stop() == 0
    text = sidecar.err.text()
    positions = [re.search(pattern, text) for pattern in (
        r"info starting: sluice \S+, libzmq 4\S+, pid \d+, configuration \S+sluice.ini",
        r"info ready: ", r"info stopping, draining first: signal TERM",
        r"info \[market\] stopped \(drained\): ", r"info exit 0: signal TERM")]
    assert all(positions), text
    starts = [found.start() for found in positions]
    assert starts == sorted(starts)


def test_every_exit_has_a_reason(basic, scratch):
    sidecar = basic(name="command")
    sidecar.request("TERMINATE")
    assert sidecar.wait() == 0 and sidecar.log(r"info exit 0: stopped by command")
    timed = basic("--for", "100ms", name="timed")
    assert timed.wait() == 0 and timed.log(r"info exit 0: the time given by --for has passed")
    path = os.path.join(scratch, "x.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"[source s]\nbind = ipc://{scratch}/s.sock\n[sink k]\nbind = tcp://192.0.2.1:5555\n")
    done = run("run", "-c", path)
    assert done.returncode == 1
    assert re.search(rf"error exit 1: cannot start: {re.escape(path)}:4: tcp://192.0.2.1:5555", done.stderr)


def test_json_is_valid_whatever_a_controller_sends(basic):
    sidecar = basic("-v", extra="[log]\nformat = json\n", ready=False)
    sidecar.wait_log("ready")
    context = zmq.Context()
    with context.socket(zmq.REQ) as req:
        req.connect(sidecar.control)
        for text in (bytes(range(256)), b"\xff\xfe", b'"}\n{"', "PAUSE \u20ac".encode()):
            req.send(text)
            req.recv()
    context.destroy(linger=0)
    assert sidecar.stop() == 0
    for line in sidecar.err.lines:
        record = json.loads(line)
        assert {"time", "level", "message"} <= set(record), line
    assert any("from pid" in json.loads(line)["message"] for line in sidecar.err.lines)
