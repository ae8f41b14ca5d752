# SPDX-License-Identifier: Apache-2.0
"""A day in the life of one sidecar, as its operator sees it: started by a service manager, watched,
reloaded, tuned, paused, given new keys, out of descriptors, and stopped while a subscriber hangs.
Messages flow all the time in policy block: none may be lost. In the suite `page` the knob is turned
in Chromium, else by the request that the page makes."""
import contextlib
import json
import os
import resource
import signal
import socket
import subprocess

import pytest
import zmq
from zmq.utils.monitor import parse_monitor_message

from support.admin import TOKEN, Admin, section
from support.keys import Keys
from support.manager import Manager
from support.ports import free_port
from support.sidecar import port_is_free
from support.wait import FACTOR, eventually, patience

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "page", "day.mjs")
LINGER = 2 * FACTOR
SHED = r"error connections are shed: no file descriptor is left"
HANDSHAKES = (zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL |
              zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL | zmq.EVENT_HANDSHAKE_FAILED_AUTH)


class Day:
    """The sidecar with all that stands around it."""

    def __init__(self, scratch, sidecar, publisher, subscriber):
        self.scratch = scratch
        self.keys = Keys(scratch)
        for name in ("server", "next", "alice"):
            self.keys.make(name)
        self.keys.allow("alice")
        self.manager = Manager(scratch)
        self.edge, self.vault, http = (free_port() for _ in range(3))
        self.http = Admin(http)
        self.ini = {"hold": "0", "key": "server", "more": ""}
        self.admin_section = section(scratch, http)
        self.sidecar = sidecar(self.text(), ready=False,
                               env={"NOTIFY_SOCKET": self.manager.path, "WATCHDOG_USEC": "2000000"})
        self.publisher, self.subscriber = publisher, subscriber
        self.logged = []

    def text(self):
        return f"""
[route market]
linger = {LINGER:g}s
coalesce_delay = {self.ini["hold"]}
[source feed]
bind = ipc://{self.scratch}/in.sock
[sink edge]
engine = native
bind = tcp://127.0.0.1:{self.edge}
on_full = block
[sink vault]
bind = tcp://127.0.0.1:{self.vault}
on_full = block
curve_secret_file = {self.scratch}/{self.ini["key"]}.secret
curve_allow_file = {self.scratch}/allowed
{self.ini["more"]}
[control]
bind = ipc://{self.scratch}/sluice-control.sock
{self.admin_section}"""

    def rewrite(self, **changes):
        self.ini.update(changes)
        with open(self.sidecar.file, "w", encoding="utf-8") as file:
            file.write(self.text())

    def expect_log(self, pattern):
        """Waits for a line that no step before has seen."""
        def found():
            return [line for line in self.sidecar.log(pattern) if line not in self.logged]
        self.logged += eventually(found, what=f"log line /{pattern}/")

    def messages_in(self):
        return self.http.metrics().value("sluice_messages_total", route="market",
                                         side="frontend", direction="received")

    def flows(self):
        """Waits until another thousand messages have reached the reader."""
        before = self.reader.total()
        eventually(lambda: self.reader.total() > before + 1000, what="messages flow")

    def vault_lets_in(self, server):
        """Whether one with alice's key, who trusts this server key, gets what is published."""
        with zmq.Context() as context, context.socket(zmq.SUB) as sub:
            sub.linger = 0
            sub.rcvtimeo = int(patience() * 1000)
            sub.curve_publickey = self.keys.public("alice").encode()
            sub.curve_secretkey = self.keys.secret("alice").encode()
            sub.curve_serverkey = self.keys.public(server).encode()
            sub.subscribe(b"")
            with sub.get_monitor_socket(HANDSHAKES) as monitor:
                monitor.rcvtimeo = sub.rcvtimeo
                sub.connect(f"tcp://127.0.0.1:{self.vault}")
                come = parse_monitor_message(monitor.recv_multipart())["event"]
                sub.disable_monitor()
            return come == zmq.EVENT_HANDSHAKE_SUCCEEDED and len(sub.recv()) > 0

    def reload(self, by_signal=False):
        """One reload as the service manager sees it; the answer of ctl unless by signal."""
        answer = None
        if by_signal:
            self.sidecar.send_signal(signal.SIGHUP)
        else:
            answer = self.sidecar.ctl("reload", "--json")
        reloading, ready = self.manager.next(), self.manager.next()
        assert reloading["RELOADING"] == "1" and reloading["MONOTONIC_USEC"].isdigit()
        assert ready["READY"] == "1"
        return answer, ready["STATUS"]


@pytest.fixture
def day(scratch, sidecar, publisher, subscriber):
    made = Day(scratch, sidecar, publisher, subscriber)
    yield made
    made.manager.socket.close()


def starts_and_is_watched(day):
    assert day.manager.next() == {"READY": "1", "STATUS": "forwarding"}
    day.expect_log(r"info starting: sluice \S+, libzmq \S+, pid \d+, configuration ")
    day.expect_log(r"info ready: route market \[source feed .*; control ipc.*; admin http")
    assert "WATCHDOG" in day.manager.next(skip="READY")
    for path in ("/healthz", "/readyz"):
        assert day.http.ask("GET", path)[0] == 200
    day.reader = day.subscriber(f"tcp://127.0.0.1:{day.edge}")
    day.sidecar.attached(edge=1)
    day.writer = day.publisher(f"ipc://{day.scratch}/in.sock")
    day.writer.subscribed(b"")
    day.writer.send(1 << 40, wait=False)
    day.flows()
    before = day.messages_in()
    eventually(lambda: day.messages_in() > before, what="the metrics follow")


def reloads_good_and_bad_files(day):
    day.rewrite(more=f"[sink extra]\nbind = ipc://{day.scratch}/extra.sock\non_full = drop\n")
    assert day.reload(by_signal=True) == (None, "forwarding")
    day.expect_log(r"info signal HUP: reload")
    day.expect_log(r"info reload: changed \S+:\d+: sink\.extra is new$")
    day.rewrite(more="[sink extra]\nno_such_key = 1\n")
    answer, state = day.reload()
    assert answer.returncode == 1 and "no_such_key" in answer.stderr
    assert state.startswith("forwarding; the last reload failed: ") and "no_such_key" in state
    day.expect_log(r"error reload refused, the settings in force stay: \S+:\d+: .*no_such_key")
    day.expect_log(r"warning control: refused RELOAD: .*\(from pid \d+, uid \d+\)")
    assert day.http.metrics().value("sluice_config_last_reload_successful") == 0
    day.flows()
    day.rewrite(more="")
    answer, state = day.reload()
    assert (answer.returncode, state) == (0, "forwarding")
    day.expect_log(r"info reload: changed \S+:\d+: sink\.extra is gone$")
    day.expect_log(r"info control: command RELOAD \(from pid")
    assert day.http.metrics().value("sluice_config_last_reload_successful") == 1
    day.flows()


def turns_a_knob_and_sees_it(day):
    key = "route.market.coalesce_delay"
    if "SLUICE_CHROMIUM" in os.environ:
        done = subprocess.run(
            ["node", SCRIPT], text=True, capture_output=True, timeout=patience(120), check=False,
            env={**os.environ, "SLUICE_URL": f"http://127.0.0.1:{day.http.port}/",
                 "SLUICE_TOKEN": TOKEN})
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert day.http.post("settings", {"key": key, "value": "5ms"})[0] == 200
    assert day.sidecar.route()["tuning"]["coalesce_delay_us"] == 5000
    day.expect_log(r"info admin 127\.0\.0\.1:\d+: command SET route\.market\.coalesce_delay 5ms")
    assert day.sidecar.ctl("set", key, "0").returncode == 0
    day.expect_log(r"info control: command SET route\.market\.coalesce_delay 0 \(from pid")
    day.flows()


def pauses_by_signal(day):
    day.sidecar.send_signal(signal.SIGUSR1)
    assert day.manager.next() == {"STATUS": "paused"}
    day.expect_log(r"info \[market\] paused")
    day.expect_log(r"info signal USR1: pause")
    assert day.sidecar.state() == "paused"
    assert day.http.ask("GET", "/readyz")[0] == 200
    day.sidecar.send_signal(signal.SIGUSR2)
    assert day.manager.next() == {"STATUS": "forwarding"}
    day.expect_log(r"info \[market\] resumed")
    day.expect_log(r"info signal USR2: resume")
    day.flows()


def rotates_keys(day):
    assert day.vault_lets_in("server")
    day.rewrite(key="next")
    answer, state = day.reload()
    assert (answer.returncode, state) == (0, "forwarding"), answer.stderr
    assert "sink.vault.curve_secret_file" in json.dumps(json.loads(answer.stdout))
    day.expect_log(r"info reload: .*sink\.vault\.curve_secret_file: \S+server.secret -> \S+next.secret")
    assert day.vault_lets_in("next") and not day.vault_lets_in("server")
    assert day.keys.secret("next") not in day.sidecar.err.text()
    day.flows()


def runs_out_of_descriptors(day):
    former = resource.prlimit(day.sidecar.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(day.sidecar.pid, resource.RLIMIT_NOFILE, (day.sidecar.descriptors(), former[1]))
    with contextlib.ExitStack() as held:
        def one_more():
            held.enter_context(socket.create_connection(("127.0.0.1", day.edge), patience()))
            return day.sidecar.log(SHED)
        eventually(one_more, what="connections are shed")
        day.flows()
        resource.prlimit(day.sidecar.pid, resource.RLIMIT_NOFILE, former)
    day.expect_log(SHED)
    late = day.subscriber(f"tcp://127.0.0.1:{day.edge}")
    day.sidecar.attached(edge=2)
    eventually(lambda: late.total() > 0, what="a late subscriber is served again")
    late.kill()
    eventually(lambda: day.sidecar.sink("edge")["peers"] == 1)


def loses_nothing(day):
    day.writer.tell("stop")
    count = day.writer.wait("sent")["count"]
    day.reader.expect(count, timeout=patience(60))
    got = day.reader.report()
    assert (got["bad"], got["sources"]["0"]["gaps"], got["sources"]["0"]["backward"]) == (0, 0, 0)
    assert day.messages_in() == count


def stops_with_a_subscriber_that_hangs(day):
    day.subscriber(f"tcp://127.0.0.1:{day.edge}", hold=True, hwm=1, rcvbuf=4096)
    day.sidecar.attached(edge=2)
    day.writer.send(1 << 40, size=1000, wait=False)
    day.sidecar.stands_still()
    day.sidecar.send_signal(signal.SIGTERM)
    assert day.manager.next() == {"STOPPING": "1", "STATUS": "stopping: signal TERM"}
    assert day.sidecar.wait(patience(LINGER + 3)) == 0
    for pattern in (r"info stopping, draining first: signal TERM",
                    r"warning \[market\] the linger ended before everything accepted was delivered",
                    r"info \[market\] stopped \(drained\): \d+ messages",
                    r"info exit 0: signal TERM"):
        day.expect_log(pattern)
    assert port_is_free(day.edge) and port_is_free(day.vault) and port_is_free(day.http.port)
    assert [n for n in os.listdir(day.scratch) if n.endswith(".sock")] == []


def complained_of_nothing_else(day):
    """All that a warning or an error has told was expected."""
    seen = [line for line in day.sidecar.log(r"^\S+ (warning|error) ") if line not in day.logged]
    assert seen == []


def test_a_day_in_the_life(day):
    starts_and_is_watched(day)
    reloads_good_and_bad_files(day)
    turns_a_knob_and_sees_it(day)
    pauses_by_signal(day)
    rotates_keys(day)
    runs_out_of_descriptors(day)
    loses_nothing(day)
    stops_with_a_subscriber_that_hangs(day)
    complained_of_nothing_else(day)
