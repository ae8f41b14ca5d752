# SPDX-License-Identifier: Apache-2.0
"""A publisher process: JSON commands on stdin, JSON events on stdout.

Commands: {"do": "send", "count", "topic", "size", "rate", "parts"}, {"do": "raw", "frames": [hex]},
{"do": "connect"|"disconnect", "endpoint"}, {"do": "quit"}. Events: ready, subscribed/unsubscribed
(topic in hex), sent, raw_sent, bye.
"""
import argparse
import json
import sys
import time

import zmq

from message import TAIL

LIMIT = 500  # messages between two looks at the commands


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


class Publisher:
    def __init__(self, options):
        self.id = options.id
        self.number = 0
        self.jobs = []
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.XPUB)
        self.socket.setsockopt(zmq.XPUB_NODROP, 0 if options.drop else 1)
        self.socket.setsockopt(zmq.XPUB_VERBOSE, 1 if options.verbose else 0)
        self.socket.setsockopt(zmq.SNDHWM, options.hwm)
        self.socket.setsockopt(zmq.RECONNECT_IVL, 20)
        self.socket.setsockopt(zmq.RECONNECT_IVL_MAX, 200)
        self.socket.setsockopt(zmq.LINGER, 2000)
        for endpoint in options.connect:
            self.socket.connect(endpoint)
        for endpoint in options.bind:
            self.socket.bind(endpoint)
        self.poller = zmq.Poller()
        self.poller.register(sys.stdin.fileno(), zmq.POLLIN)
        self.poller.register(self.socket, zmq.POLLIN)
        self.buffer = b""

    def run(self):
        say("ready", endpoint=self.socket.getsockopt(zmq.LAST_ENDPOINT).decode().rstrip("\0"))
        while True:
            self.look(0 if self.jobs else None)
            if self.jobs:
                self.send(self.jobs[0])

    def look(self, timeout):
        events = dict(self.poller.poll(timeout))
        if self.socket in events:
            self.subscriptions()
        if sys.stdin.fileno() in events:
            data = sys.stdin.buffer.read1(65536)
            if not data:
                self.quit()
            self.buffer += data
            *lines, self.buffer = self.buffer.split(b"\n")
            for line in lines:
                self.command(json.loads(line))

    def subscriptions(self):
        try:
            while True:
                frame = self.socket.recv(zmq.DONTWAIT)
                kind = {0: "unsubscribed", 1: "subscribed"}.get(frame[0] if frame else 9, "upstream")
                say(kind, topic=frame[1:].hex())
        except zmq.Again:
            pass

    def command(self, command):
        do = command["do"]
        if do == "send":
            self.jobs.append({"begin": time.monotonic(), "done": 0, "full": 0, **command})
        elif do == "raw":
            self.socket.send_multipart([bytes.fromhex(f) for f in command["frames"]])
            say("raw_sent")
        elif do in ("connect", "disconnect"):
            getattr(self.socket, do)(command["endpoint"])
            say(do + "ed")
        elif do == "stop":
            self.finish()
        elif do == "quit":
            self.quit()

    def finish(self):
        if self.jobs:
            job = self.jobs.pop(0)
            say("sent", id=self.id, count=job["done"], full=job["full"], number=self.number)

    def send(self, job):
        topic = job.get("topic", "").encode()
        size = max(job.get("size", 100), len(topic) + TAIL.size)
        filling = b"." * (size - len(topic) - TAIL.size)
        parts = [b"part"] * (job.get("parts", 1) - 1)
        rate = job.get("rate", 0)
        due = job["count"] - job["done"]
        if rate:
            elapsed = time.monotonic() - job["begin"]
            due = min(due, int(elapsed * rate) + 1 - job["done"])
            if due <= 0:
                self.look(1)
                return
        for _ in range(min(due, LIMIT)):
            data = topic + TAIL.pack(self.id, self.number, time.monotonic_ns()) + filling
            try:
                self.socket.send_multipart([data, *parts], zmq.DONTWAIT) if parts else \
                    self.socket.send(data, zmq.DONTWAIT)
            except zmq.Again:
                job["full"] += 1
                self.look(1)
                return
            self.number += 1
            job["done"] += 1
        if job["done"] >= job["count"]:
            self.finish()

    def quit(self):
        self.socket.close()
        self.context.term()
        say("bye")
        sys.exit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--id", type=int, default=0)
    parser.add_argument("--connect", action="append", default=[])
    parser.add_argument("--bind", action="append", default=[])
    parser.add_argument("--hwm", type=int, default=1000)
    parser.add_argument("--drop", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    Publisher(parser.parse_args()).run()


if __name__ == "__main__":
    main()
