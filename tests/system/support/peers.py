# SPDX-License-Identifier: Apache-2.0
"""Handles on child processes: each line of their output is an event that can be waited for."""
import collections
import json
import os
import signal
import subprocess
import sys
import threading
import time

from .wait import patience

HERE = os.path.dirname(os.path.abspath(__file__))


class Lines:
    """The lines of a stream as they come, kept for ever; thread-safe."""

    def __init__(self, stream):
        self.lines = []
        self.closed = False
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self.thread.start()

    def _read(self, stream):
        for line in stream:
            with self.changed:
                self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()
        with self.changed:
            self.closed = True
            self.changed.notify_all()
        stream.close()

    def wait(self, match, start=0, timeout=None, what="line"):
        """Index of the first line at or after `start` for which `match(line)` is true."""
        end = time.monotonic() + (patience() if timeout is None else timeout)
        index = start
        with self.changed:
            while True:
                while index < len(self.lines):
                    if match(self.lines[index]):
                        return index
                    index += 1
                left = end - time.monotonic()
                if self.closed or left <= 0:
                    why = "stream ended" if self.closed else "time-out"
                    raise AssertionError(f"{why} waiting for {what}; so far:\n" + self.text())
                self.changed.wait(left)

    def text(self):
        return "\n".join(self.lines[-200:])


class Peer:
    """A publisher.py or subscriber.py process, or another that speaks as they do."""

    def __init__(self, script, *args, wrapper=(), env=None):
        self.process = subprocess.Popen(
            [*wrapper, sys.executable, os.path.join(HERE, script), *map(str, args)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=env)
        self.out = Lines(self.process.stdout)
        self.seen = collections.Counter()
        self.position = {}
        self.endpoint = self.wait("ready")["endpoint"]

    def tell(self, do, **fields):
        self.process.stdin.write(json.dumps({"do": do, **fields}) + "\n")
        self.process.stdin.flush()

    def wait(self, event, timeout=None, **fields):
        """The next event of this kind (with these fields) not yet waited for."""
        key = (event, *sorted(fields.items()))

        def match(line):
            got = json.loads(line)
            return got["event"] == event and all(got.get(k) == v for k, v in fields.items())

        index = self.out.wait(match, self.position.get(key, 0), timeout,
                              f"{event} {fields or ''} of {self.process.args[1:]}")
        self.position[key] = index + 1
        return json.loads(self.out.lines[index])

    def count(self, event):
        return sum(json.loads(line)["event"] == event for line in list(self.out.lines))

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin and not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except OSError:
                pass

    def quit(self):
        self.tell("quit")
        self.wait("bye")
        assert self.process.wait(patience()) == 0
        self.kill()


class Publisher(Peer):
    def __init__(self, *connect, id=0, bind=(), **options):
        super().__init__("publisher.py", "--id", id, *_flags(connect, bind, options))

    def send(self, count, wait=True, timeout=None, **job):
        self.tell("send", count=count, **job)
        return self.wait("sent", timeout=timeout) if wait else None

    def raw(self, *frames):
        self.tell("raw", frames=[f.hex() for f in frames])
        self.wait("raw_sent")

    def subscribed(self, topic=b"", timeout=None):
        return self.wait("subscribed", timeout=timeout, topic=topic.hex())


class Subscriber(Peer):
    def __init__(self, *connect, topics=(b"",), bind=(), **options):
        flags = [f for t in topics for f in ("--subscribe", t.hex())]
        super().__init__("subscriber.py", *flags, *_flags(connect, bind, options))

    def expect(self, total, timeout=None):
        """Waits until this many messages have come in all."""
        self.tell("expect", total=total)
        try:
            self.wait("complete", timeout=timeout, total=total)
        except AssertionError as failed:
            raise AssertionError(f"{failed}\nreport: {self.report()}") from None

    def report(self):
        self.tell("report")
        return self.wait("report")

    def total(self):
        return self.report()["total"]

    def messages(self, count, timeout=None):
        """The next `count` messages, each a list of frames. `listen` first."""
        got = [self.wait("message", timeout=timeout) for _ in range(count)]
        return [[bytes.fromhex(f) for f in m["frames"]] for m in got]

    def listen(self, count=1 << 30):
        self.tell("tell", count=count)
        self.wait("telling")
        return self

    def subscribe(self, topic):
        self.tell("subscribe", topic=topic.hex())
        self.wait("subscribed")

    def unsubscribe(self, topic):
        self.tell("unsubscribe", topic=topic.hex())
        self.wait("unsubscribed")


def _flags(connect, bind, options):
    flags = []
    for endpoint in connect:
        flags += ["--connect", endpoint]
    for endpoint in [bind] if isinstance(bind, str) else bind:
        flags += ["--bind", endpoint]
    for name, value in options.items():
        if value is True:
            flags.append("--" + name)
        elif value is not False:
            flags += ["--" + name, value]
    return flags
