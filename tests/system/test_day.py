# SPDX-License-Identifier: Apache-2.0
"""A day in the life of one sidecar, as its operator sees it: started by a service manager, watched,
reloaded, tuned, paused, given new keys, out of descriptors, and stopped while a subscriber hangs.
Messages flow all the time in policy block: none may be lost. In the suite `page` the knob is turned
in Chromium, else by the request that the page makes."""
import json
import os
import resource
import signal
import socket
import subprocess

import pytest
import zmq

from support.admin import TOKEN, Admin, section
from support.keys import Keys
from support.manager import Manager
from support.ports import free_port
from support.sidecar import port_is_free
from support.wait import FACTOR, eventually, patience

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "page", "day.mjs")
LINGER = 2 * FACTOR


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

    def messages_in(self):
        return self.http.metrics().value("sluice_messages_received_total", route="market", source="feed")

    def flows(self):
        """Waits until another thousand messages have reached the reader."""
        before = self.reader.total()
        eventually(lambda: self.reader.total() > before + 1000, what="messages flow")

    def in_the_vault(self, server):
        """Whether one with alice's key, who trusts this server key, gets what is published."""
        with zmq.Context() as context, context.socket(zmq.SUB) as sub:
            sub.linger = 0
            sub.rcvtimeo = int(patience() * 1000)
            sub.curve_publickey = self.keys.public("alice").encode()
            sub.curve_secretkey = self.keys.secret("alice").encode()
            sub.curve_serverkey = self.keys.public(server).encode()
            sub.subscribe(b"")
            sub.connect(f"tcp://127.0.0.1:{self.vault}")
            try:
                return len(sub.recv_multipart()) > 0
            except zmq.Again:
                return False


@pytest.fixture
def day(scratch, sidecar, publisher, subscriber):
    made = Day(scratch, sidecar, publisher, subscriber)
    yield made
    made.manager.socket.close()


def starts_and_is_watched(day):
    assert day.manager.next() == {"READY": "1", "STATUS": "forwarding"}
    day.sidecar.wait_log(r"info ready: ")
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
    day.sidecar.send_signal(signal.SIGHUP)
    assert day.manager.next()["RELOADING"] == "1"
    assert day.manager.next() == {"READY": "1", "STATUS": "forwarding"}
    day.sidecar.wait_log(r"info reload: .*sink\.extra is new")
    day.rewrite(more="[sink extra]\nno_such_key = 1\n")
    answer = day.sidecar.ctl("reload")
    assert answer.returncode == 1 and "no_such_key" in answer.stderr
    assert day.manager.next()["RELOADING"] == "1"
    assert "the last reload failed: " in day.manager.next()["STATUS"]
    day.sidecar.wait_log(r"error reload refused, the settings in force stay: \S+:\d+: .*no_such_key")
    assert day.http.metrics().value("sluice_config_last_reload_successful") == 0
    day.flows()
    day.rewrite(more="")
    assert day.sidecar.ctl("reload").returncode == 0
    assert day.manager.next()["RELOADING"] == "1"
    assert day.manager.next() == {"READY": "1", "STATUS": "forwarding"}
    assert day.http.metrics().value("sluice_config_last_reload_successful") == 1
    day.flows()


def turns_a_knob_and_sees_it(day):
    key = "route.market.coalesce_delay"
    if "SLUICE_CHROMIUM" in os.environ:
        done = subprocess.run(
            ["node", SCRIPT], text=True, capture_output=True, timeout=patience(60), check=False,
            env={**os.environ, "SLUICE_URL": f"http://127.0.0.1:{day.http.port}/",
                 "SLUICE_TOKEN": TOKEN})
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert day.http.post("settings", {"key": key, "value": "5ms"})[0] == 200
    assert day.sidecar.route()["tuning"]["coalesce_delay_us"] == 5000
    day.sidecar.wait_log(r"admin 127\.0\.0\.1:\d+: command SET route\.market\.coalesce_delay 5ms")
    assert day.sidecar.ctl("set", key, "0").returncode == 0
    day.flows()


def pauses_by_signal(day):
    day.sidecar.send_signal(signal.SIGUSR1)
    assert day.manager.next() == {"STATUS": "paused"}
    day.sidecar.wait_log(r"signal USR1")
    eventually(lambda: day.sidecar.state() == "paused")
    day.sidecar.send_signal(signal.SIGUSR2)
    assert day.manager.next() == {"STATUS": "forwarding"}
    day.sidecar.wait_log(r"signal USR2")
    day.flows()


def rotates_keys(day):
    assert day.in_the_vault("server")
    day.rewrite(key="next")
    answer = day.sidecar.ctl("reload", "--json")
    assert answer.returncode == 0, answer.stderr
    assert "sink.vault.curve_secret_file" in answer.stdout
    json.loads(answer.stdout)
    assert day.manager.next()["RELOADING"] == "1" and day.manager.next()["READY"] == "1"
    assert day.in_the_vault("next")
    day.sidecar.wait_log(r"info reload: .*sink\.vault\.curve_secret_file")
    day.flows()


def runs_out_of_descriptors(day):
    former = resource.prlimit(day.sidecar.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(day.sidecar.pid, resource.RLIMIT_NOFILE, (day.sidecar.descriptors(), former[1]))
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", day.edge), patience()) as shed:
            shed.settimeout(patience())
            try:
                assert shed.recv(100) == b""
            except ConnectionError:
                pass
    day.sidecar.wait_log(r"warning .*connections are shed: no file descriptor is left")
    day.flows()
    resource.prlimit(day.sidecar.pid, resource.RLIMIT_NOFILE, former)
    late = day.subscriber(f"tcp://127.0.0.1:{day.edge}")
    day.sidecar.attached(edge=2)
    late.expect(100)
    late.kill()
    eventually(lambda: day.sidecar.sink("edge")["peers"] == 1)


def loses_nothing(day):
    day.writer.tell("stop")
    count = day.writer.wait("sent")["count"]
    day.reader.expect(count, timeout=patience(30))
    assert day.reader.report()["sources"]["0"]["gaps"] == 0


def stops_with_a_subscriber_that_hangs(day):
    day.subscriber(f"tcp://127.0.0.1:{day.edge}", hold=True, hwm=1, rcvbuf=4096)
    day.sidecar.attached(edge=2)
    day.writer.send(1 << 40, size=1000, wait=False)
    last = [0]

    def stuck():
        now = day.sidecar.statistics()[6]
        same, last[0] = now == last[0] > 0, now
        return same
    eventually(stuck)
    day.sidecar.send_signal(signal.SIGTERM)
    assert day.manager.next() == {"STOPPING": "1", "STATUS": "stopping: signal TERM"}
    assert day.sidecar.wait(patience(LINGER + 3)) == 0
    for pattern in (r"info stopping, draining first: signal TERM", r"\[market\] stopped \(", r"exit 0: "):
        assert day.sidecar.log(pattern), day.sidecar.err.text()
    assert port_is_free(day.edge) and port_is_free(day.vault) and port_is_free(day.http.port)
    assert [n for n in os.listdir(day.scratch) if n.endswith("control.sock")] == []


def test_a_day_in_the_life(day):
    starts_and_is_watched(day)
    reloads_good_and_bad_files(day)
    turns_a_knob_and_sees_it(day)
    pauses_by_signal(day)
    rotates_keys(day)
    runs_out_of_descriptors(day)
    loses_nothing(day)
    stops_with_a_subscriber_that_hangs(day)
