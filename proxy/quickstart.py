# SPDX-License-Identifier: Apache-2.0
"""quickstart.py BUILD-DIRECTORY FILE SECONDS: the second half of proxy/quickstart.

Runs the sidecar with a python3-zmq subscriber on each sink, turns the knobs one after the other
and shows what each does. A live table on a terminal, else one line a step.
"""
import collections
import json
import multiprocessing
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import zmq

# knob, value to try, what it is about
STEPS = [
    ("inbound_poll_rate", "1", "look at commands after every message"),
    ("max_command_delay", "0", "never let a command wait, whatever the poll rate"),
    ("coalesce_delay", "1ms", "collect up to 1 ms of messages before each wake"),
]
SHOWN = [  # heading, key of a sample
    ("in/s", "in"), ("out/s", "out"), ("looks/msg", "looks"), ("wakes/msg", "wakes"),
    ("CPU ns/msg", "cpu"), ("calls/msg", "calls"),
]


def subscribe(endpoint, count):
    """A subscriber process: takes everything, counts."""
    socket = zmq.Context().socket(zmq.SUB)
    socket.setsockopt(zmq.SUBSCRIBE, b"")
    socket.connect(endpoint)
    try:
        while True:
            socket.recv_multipart()
            count.value += 1
    except KeyboardInterrupt:
        pass


class Sidecar:
    """Runs in a folder of its own: that is where its ipc files go."""

    def __init__(self, binary, file, folder):
        self.binary, self.file, self.folder = binary, file, folder
        self.process = subprocess.Popen([binary, "run", "-c", file], stderr=subprocess.PIPE,
                                        text=True, cwd=folder)
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            if re.search(r"\bready\b", line):
                return
        raise RuntimeError("the sidecar did not start\n" + "".join(lines))

    def ctl(self, *args):
        done = subprocess.run([self.binary, "ctl", "-c", self.file, *args], text=True,
                              capture_output=True, cwd=self.folder)
        if done.returncode:
            raise RuntimeError(done.stderr.strip() or f"ctl {args}: {done.returncode}")
        return done.stdout.strip()

    def status(self):
        return json.loads(self.ctl("--json", "status"))

    def stop(self):
        self.process.terminate()
        for _ in self.process.stderr:  # keeps the pipe empty until the end
            pass
        return self.process.wait()


def snapshot(sidecar, counts):
    status = sidecar.status()
    total = collections.Counter(at=time.monotonic(), out=sum(c.value for c in counts))
    for route in status["routes"]:
        total["in"] += route["frontend"]["received_messages"]
        total["looks"] += route["loop"]["looks"]
        total["wakes"] += route["loop"]["wakes"]
        total["cpu"] += route["loop"]["cpu_ns"]
    for thread in ("forwarding", "io"):
        total["calls"] += sum((status["syscalls"] or {}).get(thread, {}).values())
    return total


def between(first, last):
    """Rates a second and costs a message."""
    seconds = last["at"] - first["at"]
    messages = max(1, last["in"] - first["in"])
    sample = {k: (last[k] - first[k]) / messages for k in ("looks", "wakes", "cpu", "calls")}
    return {**sample, **{k: (last[k] - first[k]) / seconds for k in ("in", "out")}}


def row(label, sample):
    cells = [f"{sample[k]:>11,.0f}" if sample[k] >= 100 else f"{sample[k]:>11.3f}"
             for _, k in SHOWN]
    return f"{label:<28}" + "".join(cells)


def measure(sidecar, counts, label, seconds):
    """Watches for so long; a line that renews itself on a terminal, then the final one."""
    first = snapshot(sidecar, counts)
    end = first["at"] + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.5))
        if sys.stdout.isatty():
            print("\r" + row(label, between(first, snapshot(sidecar, counts))), end="", flush=True)
    sample = between(first, snapshot(sidecar, counts))
    print(("\r" if sys.stdout.isatty() else "") + row(label, sample), flush=True)
    return sample


def tour(sidecar, counts, seconds):
    print(f"{'setting':<28}" + "".join(f"{heading:>11}" for heading, _ in SHOWN))
    share = seconds / (len(STEPS) + 1)
    before = measure(sidecar, counts, "as configured", share)
    story = []
    for knob, value, why in STEPS:
        old = sidecar.ctl("get", knob).split()[-1]
        sidecar.ctl("set", knob, value)
        after = measure(sidecar, counts, f"{knob} = {value}", share)
        sidecar.ctl("set", knob, old)
        story.append(f"{knob} {old} -> {value} ({why}): " + ", ".join(
            f"{heading} {before[k]:.3g} -> {after[k]:.3g}" for heading, k in SHOWN[2:]
            if heading != "CPU ns/msg") + f", CPU {before['cpu']:.0f} -> {after['cpu']:.0f} ns/msg")
    print("\n" + "\n".join(story))


def main(build, file, seconds):
    with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
        return run(pathlib.Path(build).absolute(), str(pathlib.Path(file).absolute()), seconds,
                   folder)


def run(build, file, seconds, folder):
    binary = next(str(p) for p in (build / "proxy/app/sluice", build / "sluice")
                  if p.is_file())
    sidecar = Sidecar(binary, file, folder)
    subscribers, counts = [], []
    try:
        for route in sidecar.status()["routes"]:
            for sink in route["sinks"]:
                counts.append(multiprocessing.Value("Q", 0, lock=False))
                subscribers.append(multiprocessing.Process(
                    target=subscribe, args=(sink["endpoints"][0], counts[-1]), daemon=True))
                subscribers[-1].start()
                print(f"subscriber on {sink['endpoints'][0]}")
        deadline = time.monotonic() + 10
        while any(c.value == 0 for c in counts):
            if time.monotonic() > deadline:
                raise RuntimeError("no message within 10 s")
            time.sleep(0.02)
        tour(sidecar, counts, seconds)
    except KeyboardInterrupt:
        print("\nstopping")
    finally:
        for subscriber in subscribers:
            subscriber.terminate()
        code = sidecar.stop()
    print(f"stopped; {sum(c.value for c in counts):,} messages received")
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2], float(sys.argv[3])))
    except RuntimeError as error:
        sys.exit(f"quickstart: {error}")
