# SPDX-License-Identifier: Apache-2.0
"""Proxies, publishers and subscribers as processes on 127.0.0.1, for bench/capacity-check."""

import contextlib
import json
import pathlib
import random
import re
import select
import socket
import subprocess
import sys
import time

RECEIVERS = pathlib.Path(__file__).resolve().parent / "capacity_receivers.py"
PATIENCE = 20  # seconds


def free_port():
    """One below the ports that the system hands out."""
    for _ in range(100):
        port = random.randrange(16_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
    raise RuntimeError("no free port")


def process_cpu(pid):
    """Seconds of all its threads, by the clock of clock_getcpuclockid(3)."""
    return time.clock_gettime(~pid << 3 | 2)


class Process:
    """Ended by `close`, at the latest."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen([str(word) for word in command], text=True, **options)
        self.pid = self.process.pid

    def line(self, pattern, stream):
        """Reads lines until one has the pattern."""
        end, read = time.monotonic() + PATIENCE, []
        while time.monotonic() < end:
            if not select.select([stream], [], [], end - time.monotonic())[0]:
                break
            text = stream.readline()
            read.append(text)
            if re.search(pattern, text):
                return text
            if not text:
                break
        raise RuntimeError(f"no /{pattern}/ from {self.process.args[0]}: {''.join(read[-5:])}")

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()


class Proxy(Process):
    """`sluice run` with one source and one sink on a port of its own."""

    def __init__(self, bed, name, source):
        self.sluice, self.name = bed.sluice, name
        self.control = f"ipc://{bed.folder}/{name}.sock"
        self.endpoint = f"tcp://127.0.0.1:{free_port()}"
        file = pathlib.Path(bed.folder) / f"{name}.ini"
        # The plain sockets answer no heartbeat.
        file.write_text(f"[route {name}]\ncoalesce_delay = {bed.coalesce * 1e6:.0f}us\n"
                        f"[source up]\n{source}\n"
                        f"[sink down]\nengine = {bed.engine}\nbind = {self.endpoint}\n"
                        f"heartbeat_interval = 0\n[control]\nbind = {self.control}\n", encoding="utf-8")
        self.log = open(file.with_suffix(".log"), "w+", encoding="utf-8")
        super().__init__([bed.sluice, "run", "-c", file], stdin=subprocess.DEVNULL, stderr=self.log)
        bed.stack.callback(self.close)
        self.wait_status(lambda status: True)

    def status(self):
        done = subprocess.run([self.sluice, "ctl", "-e", self.control, "--json", "status"],
                              text=True, capture_output=True, timeout=PATIENCE, check=False)
        if self.process.poll() is not None:
            self.log.seek(0)
            raise RuntimeError(f"{self.name} has ended: {self.log.read()[-500:]}")
        return json.loads(done.stdout) if done.returncode == 0 else None

    def wait_status(self, question):
        end = time.monotonic() + PATIENCE
        while True:
            status = self.status()
            if status and question(status):
                return
            if time.monotonic() > end:
                raise RuntimeError(f"{self.name} is not as it should be: {status}")
            time.sleep(0.05)

    def wait_peers(self, count):
        self.wait_status(lambda s: s["routes"][0]["sinks"][0]["peers"] == count
                         and s["routes"][0]["sinks"][0]["subscriptions"] >= 1)

    def wait_flow(self):
        """Until messages go through it, and have for a moment."""
        had = self.status()["routes"][0]["frontend"]["received_messages"]
        self.wait_status(lambda s: s["routes"][0]["frontend"]["received_messages"] > had + 100)

    def reading(self):
        status = self.status()
        route, calls = status["routes"][0], status["syscalls"] or {}
        io = calls.get("io", {})
        return {"time": time.monotonic(), "cpu": process_cpu(self.pid), "io_cpu": self.io_cpu(),
                "messages": route["frontend"]["received_messages"],
                "bursts": route["loop"]["bursts"], "dropped": route["sinks"][0]["dropped_messages"] or 0,
                "reads": io.get("recvfrom", 0) + io.get("recv", 0), "signals": io.get("write", 0)}

    def io_cpu(self):
        """Seconds of libzmq's I/O threads."""
        total = 0
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            if "/IO/" in (task / "comm").read_text():
                total += int((task / "schedstat").read_text().split()[0])
        return total / 1e9


class Receivers(Process):
    """So many plain sockets at each endpoint, all in one process."""

    def __init__(self, bed, endpoints, each):
        words = [word for endpoint in endpoints for word in (endpoint, each)]
        super().__init__([sys.executable, RECEIVERS, *words], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE)
        bed.stack.callback(self.close)
        self.line("ready", self.process.stdout)

    def bytes(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class Bed:
    """Everything that was started is ended by the `with` statement around it."""

    def __init__(self, sluice, folder, engine, coalesce):
        self.sluice, self.folder, self.engine, self.coalesce = sluice, folder, engine, coalesce
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()

    def publish(self, endpoint, rate, size, burst, seconds, *more):
        """`sluice load`, which begins when it is subscribed."""
        load = Process([self.sluice, "load", "--quiet", "--json", "--publish", endpoint, "--rate",
                        f"{rate:.0f}", "--size", size, "--burst", burst, "--for",
                        f"{seconds:.1f}s", "--wait", f"{PATIENCE}s", *more], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.stack.callback(load.close)
        return load


def window(proxies, receivers, seconds):
    """What each proxy has done in the time, a second; and the bytes a second of each subscriber."""
    def look():
        return ([proxy.reading() for proxy in proxies],
                [had for process in receivers for had in process.bytes()], time.monotonic())

    before, received, begin = look()
    time.sleep(seconds)
    after, later, end = look()
    rates = [{key: (b[key] - a[key]) / (b["time"] - a["time"]) for key in a if key != "time"}
             for a, b in zip(before, after)]
    return rates, [(b - a) / (end - begin) for a, b in zip(received, later)]
