# SPDX-License-Identifier: Apache-2.0
"""The sidecar under test as a process."""
import json
import os
import re
import signal
import socket
import subprocess
import time

import zmq

from .peers import Lines
from .wait import eventually, patience

BINARY = os.environ.get("SLUICE_BINARY", "")


def environment(extra=None):
    """Ours, without any SLUICE_ variable."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SLUICE_")}
    return {**clean, **(extra or {})}


def run(*args, timeout=None, env=None, cwd=None, input=None):
    """One finished call of the binary."""
    return subprocess.run([BINARY, *map(str, args)], env=environment(env), cwd=cwd, text=True,
                          capture_output=True, timeout=timeout or patience(20), input=input)


class Sidecar:
    """`sluice run` on an INI text. Adds a [control] section unless the text has one."""

    def __init__(self, scratch, ini, *args, name="sluice", env=None, wrapper=(), ready=True,
                 preexec=None):
        self.scratch = scratch
        self.control = f"ipc://{scratch}/{name}-control.sock"
        if not re.search(r"^\[control", ini, re.M):
            ini += f"\n[control]\nbind = {self.control}\n"
        self.file = os.path.join(scratch, name + ".ini")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(ini)
        self.command = [*wrapper, BINARY, "run", "-c", self.file, *map(str, args)]
        self.env = environment(env)
        self.context = zmq.Context()
        self.preexec = preexec
        self.start(ready)

    def start(self, ready=True):
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            self.command, env=self.env, cwd=self.scratch, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=self.preexec)
        self.out = Lines(self.process.stdout)
        self.err = Lines(self.process.stderr)
        if ready:
            self.wait_log(r"\bready\b")

    # -- log ----------------------------------------------------------------------------------
    def wait_log(self, pattern, start=0, timeout=None):
        expression = re.compile(pattern)
        index = self.err.wait(expression.search, start, timeout, f"log line /{pattern}/")
        return self.err.lines[index]

    def log(self, pattern=""):
        return [line for line in list(self.err.lines) if re.search(pattern, line)]

    # -- control ------------------------------------------------------------------------------
    def requester(self):
        """A REQ socket on the control endpoint."""
        req = self.context.socket(zmq.REQ)
        req.setsockopt(zmq.LINGER, 0)
        req.setsockopt(zmq.RCVTIMEO, int(patience() * 1000))
        req.setsockopt(zmq.SNDTIMEO, int(patience() * 1000))
        req.connect(self.control)
        return req

    def request(self, word):
        """The frames of the answer to one command."""
        with self.requester() as req:
            req.send(word if isinstance(word, bytes) else word.encode())
            return req.recv_multipart()

    def status(self):
        text = self.request("STATUS")[0].decode()
        return json.loads(text[text.index("{"):])

    def route(self, name=None):
        routes = self.status()["routes"]
        return routes[0] if name is None else next(r for r in routes if r["name"] == name)

    def sink(self, name, route=None):
        return next(s for s in self.route(route)["sinks"] if s["name"] == name)

    def state(self):
        return self.route()["state"]

    def statistics(self):
        """The eight numbers, in the order of zmq_proxy_steerable(3)."""
        frames = self.request("STATISTICS")
        assert [len(f) for f in frames] == [8] * 8, frames
        return [int.from_bytes(f, "little") for f in frames]

    def stands_still(self):
        """Waits until something has been forwarded and nothing more is: a subscriber is full."""
        last = [0]

        def still():
            now = self.statistics()[6]
            same, last[0] = now == last[0] > 0, now
            return same
        eventually(still, what="forwarding stands still")

    def ctl(self, *args, timeout=None):
        return run("ctl", "-e", self.control, *args, timeout=timeout)

    def attached(self, **peers):
        """Waits until every named sink shows at least so many peers and a subscription."""
        def all_there():
            sinks = {s["name"]: s for r in self.status()["routes"] for s in r["sinks"]}
            return all(sinks[n]["peers"] >= count and sinks[n]["subscriptions"] >= 1
                       for n, count in peers.items())
        eventually(all_there, what=f"subscribers {peers} in STATUS")

    # -- process ------------------------------------------------------------------------------
    @property
    def pid(self):
        return self.process.pid

    def send_signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout=None):
        """The exit code; the output has then been read to its end."""
        code = self.process.wait(patience() if timeout is None else timeout)
        self.out.thread.join(patience())
        self.err.thread.join(patience())
        return code

    def stop(self, number=signal.SIGTERM, timeout=None):
        self.send_signal(number)
        return self.wait(timeout)

    def cleanup(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.context.destroy(linger=0)

    def assert_alive(self):
        assert self.process.poll() is None, f"exit {self.process.returncode}:\n{self.err.text()}"

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def thread(self, name):
        """The kernel's number of the thread of that name."""
        for task in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{task}/comm", encoding="ascii") as file:
                if file.read().strip() == name:
                    return int(task)
        raise LookupError(name)

    def resident(self):
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def wakes(self):
        """Voluntary context switches of all threads."""
        total = 0
        for task in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{task}/status", encoding="ascii") as file:
                total += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.M)[1])
        return total

    def cpu_ns(self):
        """CPU time of the whole process, from its clock."""
        return time.clock_gettime_ns(((~self.pid) << 3) | 2)


def port_is_free(port, host="127.0.0.1"):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True
