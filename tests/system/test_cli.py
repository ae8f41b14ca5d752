# SPDX-License-Identifier: Apache-2.0
"""Command line: check, show, precedence, origins, exit codes. Nothing here opens a socket."""
import os
import re

import pytest

from support.sidecar import port_is_free, run

GOOD = """# a comment
[route market]
inbound_poll_rate = 500
max_command_delay = 2ms

[source feed]
bind = ipc://{scratch}/in.sock

[sink edge]
bind = tcp://127.0.0.1:{port}
on_full = block

[control]
bind = ipc://{scratch}/control.sock
"""


@pytest.fixture
def file(scratch, port):
    def write(text=GOOD, name="test.ini"):
        path = os.path.join(scratch, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text.format(scratch=scratch, port=port) if text == GOOD else text)
        return path
    return write


def line_of(text, key):
    lines = [line for line in text.splitlines() if re.match(rf"\s*{key}\s*=", line)]
    assert len(lines) == 1, text
    return lines[0]


def test_version():
    done = run("--version")
    assert done.returncode == 0 and done.stderr == ""
    assert re.search(r"\b\d+\.\d+\.\d+\b", done.stdout)
    assert re.search(r"libzmq.*4\.3\.\d", done.stdout)
    assert run("-V").stdout == done.stdout


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_every_subcommand(flag):
    done = run(flag)
    assert done.returncode == 0
    for word in ("run", "check", "show", "ctl"):
        assert re.search(rf"\b{word}\b", done.stdout), word


@pytest.mark.parametrize("args", [
    [], ["nosuch"], ["run", "--nosuch"], ["check"], ["run", "-c"], ["ctl"], ["ctl", "nosuch"],
    ["run", "-c", "x.ini", "--for", "soon"], ["run", "-c", "x.ini", "--set", "nonsense"]])
def test_usage_errors_exit_64_with_a_reason(args, scratch):
    done = run(*args, cwd=scratch)
    assert done.returncode == 64, (done.stdout, done.stderr)
    assert done.stdout == "" and done.stderr != ""


@pytest.mark.parametrize("how", [["check", "-c"], ["run", "-t", "-c"]])
def test_check_of_a_good_file_is_silent(how, file):
    done = run(*how, file())
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_O_01_check_binds_nothing(file, port, scratch):
    held = port_is_free(port)
    assert run("check", "-c", file()).returncode == 0
    assert held and sorted(os.listdir(scratch)) == ["test.ini"]


BAD = [
    # (line in the file, what the message must hold)
    ("[route market]\ninbound_pol_rate = 5", 2, "inbound_poll_rate"),
    ("[route market]\ninbound_poll_rate = 0", 2, "inbound_poll_rate"),
    ("[route market]\ninbound_poll_rate = abc", 2, "abc"),
    ("[route market]\ninbound_poll_rate = -1", 2, "-1"),
    ("[route market]\ninbound_poll_rate = 9223372036854775808", 2, "inbound_poll_rate"),
    ("[route market]\ninbound_poll_rate =", 2, "inbound_poll_rate"),
    ("[route market]\nmax_command_delay = 5 parsecs", 2, "parsecs"),
    ("[route market]\ncoalesce_delay = 101ms", 2, "100"),
    ("[route market]\nlinger = 1s\nlinger = 2s", 3, "linger"),
    ("[roote market]\nlinger = 1s", 1, "route"),
    ("[route market\nlinger = 1s", 1, "]"),
    ("[route Market]", 1, "Market"),
    ("[route market]\nlinger 1s", 2, "linger"),
    ("[sink edge]\nengine = turbo\nbind = tcp://127.0.0.1:1", 2, "native"),
    ("[sink edge]\nengine = zmq\non_full = disconnect\nbind = tcp://127.0.0.1:1", 3, "disconnect"),
    ("[sink edge]\nbind = tcp:/127.0.0.1:1", 2, "tcp:/127.0.0.1:1"),
    ("[sink edge]\nbind = http://127.0.0.1:1", 2, "http"),
    ("[source feed]\nconnect = inproc://never", 2, "inproc"),
    ("[source feed]\nroute = nosuch\nbind = ipc:///tmp/x", 2, "nosuch"),
    ("[log]\nformat = xml", 2, "json"),
]


@pytest.mark.parametrize("text, line, holds", BAD, ids=[b[0].replace("\n", "|")[:60] for b in BAD])
def test_a_wrong_file_says_where_and_what(text, line, holds, file, scratch):
    path = file(text + "\n", "bad.ini")
    done = run("check", "-c", path)
    assert done.returncode == 78, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert f"bad.ini:{line}:" in done.stderr, done.stderr
    assert holds in done.stderr, done.stderr


def test_O_01_a_wrong_file_starts_nothing(file, port, scratch):
    path = file(f"[source feed]\nbind = ipc://{scratch}/in.sock\n"
                f"[sink edge]\nbind = ipc://{scratch}/out.sock\nsend_hvm = 5\n", "bad.ini")
    done = run("run", "-c", path)
    assert done.returncode == 78
    assert "bad.ini:5:" in done.stderr and "send_hwm" in done.stderr
    assert os.listdir(scratch) == ["bad.ini"]


@pytest.mark.parametrize("value, ok", [
    ("0", False), ("1", True), ("1000", True), ("10k", True), ("1000000000", True),
    ("1000000001", False), ("-1", False), ("abc", False), ("", False),
    ("9223372036854775808", False)])
def test_P_09_knob_ranges_by_flag(value, ok, file):
    done = run("check", "-c", file(), "--set", f"route.market.inbound_poll_rate={value}")
    assert done.returncode == (0 if ok else 78), (done.stdout, done.stderr)
    if not ok:
        assert "inbound_poll_rate" in done.stderr


def test_missing_file(scratch):
    done = run("check", "-c", "/nonexistent/x.ini")
    assert done.returncode == 78 and "/nonexistent/x.ini" in done.stderr


def test_show_tells_the_origin_of_each_setting(file):
    path = file()
    plain = run("show", "-c", path)
    assert plain.returncode == 0 and plain.stderr == ""
    rate = line_of(plain.stdout, "inbound_poll_rate")
    assert "500" in rate and "test.ini:3" in rate
    assert "default" in line_of(plain.stdout, "coalesce_delay")

    name = "SLUICE_ROUTE_MARKET_INBOUND_POLL_RATE"
    environment = run("show", "-c", path, env={name: "600"})
    rate = line_of(environment.stdout, "inbound_poll_rate")
    assert "600" in rate and name in rate

    flag = run("show", "-c", path, "--set", "inbound_poll_rate=700", env={name: "600"})
    rate = line_of(flag.stdout, "inbound_poll_rate")
    assert "700" in rate and "flag" in rate


def test_show_is_a_file_that_gives_the_same(file):
    first = run("show", "-c", file(), "--set", "coalesce_delay=500us")
    again = run("show", "-c", file(first.stdout, "shown.ini"))
    assert first.returncode == again.returncode == 0, again.stderr
    strip = lambda text: [line.split("#")[0].rstrip() for line in text.splitlines()]
    assert strip(first.stdout) == strip(again.stdout)
    assert "coalesce_delay = 500us" in "\n".join(strip(first.stdout))


def test_show_redacts_nothing_but_secrets_and_check_sees_flags(file):
    done = run("check", "-c", file(), "--set", "sink.edge.send_hwm=-5")
    assert done.returncode == 78 and "send_hwm" in done.stderr and "--set" in done.stderr


def test_an_unknown_variable_is_only_a_warning(file):
    done = run("check", "-c", file(), env={"SLUICE_SERVICE_HOST": "10.0.0.1"})
    assert done.returncode == 0 and "SLUICE_SERVICE_HOST" in done.stderr


def test_ctl_without_an_endpoint_exits_69():
    done = run("ctl", "ping")
    assert done.returncode in (0, 69)
    if not os.path.exists("/etc/sluice/sluice.ini"):
        assert done.returncode == 69 and "SLUICE_CONTROL" in done.stderr


def test_ctl_on_a_dead_endpoint_exits_69_within_its_timeout(scratch):
    done = run("ctl", "-e", f"ipc://{scratch}/nobody.sock", "--timeout", "200ms", "ping")
    assert done.returncode == 69 and done.stdout == "" and "nobody.sock" in done.stderr
