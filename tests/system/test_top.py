# SPDX-License-Identifier: Apache-2.0
"""`sluice ctl top`: plain when piped, finite when told so, a screen on a terminal."""
import fcntl
import json
import os
import pty
import struct
import subprocess
import termios

import pytest

from support.peers import Lines
from support.sidecar import BINARY, environment
from support.wait import FACTOR, patience

TWO = """
[route north]
[route south]
[generator a]
route = north
rate = 2k
[generator b]
route = south
rate = 500
[sink k]
route = north
bind = ipc://{0}/k.sock
[sink l]
route = south
engine = zmq
bind = ipc://{0}/l.sock
[route idle]
[source s]
route = idle
bind = ipc://{0}/s.sock
[sink m]
route = idle
bind = ipc://{0}/m.sock
"""


@pytest.fixture
def two(scratch, sidecar, subscriber):
    started = sidecar(TWO.format(scratch))
    subscriber(f"ipc://{scratch}/k.sock", f"ipc://{scratch}/l.sock")
    started.attached(k=1, l=1)
    return started


def test_every_route_has_a_line_an_interval(two):
    done = two.ctl("top", "--interval", "200ms", "--count", "3")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[1] for line in lines] == ["north", "south", "idle"] * 3
    assert "\x1b" not in done.stdout
    assert all("calls/msg" in line and "coalesce_delay 0" in line for line in lines)


def test_one_route_as_json_for_a_time(two):
    done = two.ctl("top", "south", "--json", "--interval", "200ms", "--for", "400ms")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 2
    route = lines[-1]["routes"][0]
    assert route["name"] == "south" and route["messages_per_s"] > 0
    assert route["calls_per_message"] > 0 and route["sinks"][0]["dropped_messages"] is None


def test_a_change_is_marked_with_before_and_after(two):
    process = subprocess.Popen([BINARY, "ctl", "-e", two.control, "top", "--interval", "200ms"],
                               stdout=subprocess.PIPE, text=True, env=environment())
    lines = Lines(process.stdout)
    try:
        lines.wait(lambda line: " north " in line, what="a line")
        assert two.ctl("set", "route.north.coalesce_delay", "5ms").returncode == 0
        at = lines.wait(lambda line: "<- changed" in line, what="the mark")
        assert "coalesce_delay 0 -> 5ms" in lines.lines[at] and " north " in lines.lines[at]
        at = lines.wait(lambda line: "CPU ns/msg" in line, start=at + 1, what="before and after")
        assert "coalesce_delay 0 -> 5ms" in lines.lines[at] and "calls/msg" in lines.lines[at]
    finally:
        process.terminate()
    assert process.wait(patience()) == 0


@pytest.mark.parametrize("args, code, hint", [
    (["top", "nroth"], 1, "did you mean north"), (["top", "--interval", "1ms"], 64, "100ms"),
    (["top", "--count", "0"], 64, "--count"), (["top", "a", "b"], 64, "arguments"),
    (["tpo"], 64, "did you mean top")])
def test_wrong_words(two, args, code, hint):
    done = two.ctl(*args)
    assert done.returncode == code and hint in done.stderr, done.stderr


def test_a_screen_on_a_terminal_that_q_leaves(two):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    process = subprocess.Popen([BINARY, "ctl", "-e", two.control, "top", "--interval", "200ms"],
                               stdin=theirs, stdout=theirs, stderr=theirs, env=environment())
    os.close(theirs)
    shown = b""
    while b"CALLS/MSG" not in shown or shown.count(b"\x1b[H") < 3:
        shown += os.read(ours, 65536)
    os.write(ours, b"q")
    try:
        while chunk := os.read(ours, 65536):
            shown += chunk
    except OSError:  # closed
        pass
    os.close(ours)
    assert process.wait(patience()) == 0
    assert shown.startswith(b"\x1b[?1049h") and shown.endswith(b"\x1b[?1049l")
    assert b"in force" in shown and b"south" in shown


def test_a_sidecar_that_goes_away_is_69(two):
    process = subprocess.Popen([BINARY, "ctl", "-e", two.control, "--timeout", f"{int(500 * FACTOR)}ms", "top",
                                "--interval", "200ms"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment())
    assert process.stdout.readline()
    two.stop()
    _, err = process.communicate(timeout=patience(20))
    assert process.returncode == 69 and "no answer" in err


def test_help_has_examples(two):
    done = two.ctl("top", "--help")
    assert done.returncode == 0 and "examples:" in done.stdout and "top [ROUTE]" in done.stdout
