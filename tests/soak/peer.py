# SPDX-License-Identifier: Apache-2.0
"""A publisher or subscriber process of the soak: commands on stdin, JSON events on stdout.

A message has three frames: source and number, filling, and the check sum of both.
"""
import argparse
import json
import struct
import sys
import time
import zlib

import zmq

HEAD = struct.Struct("<cIQ")  # topic, source, number


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


class Peer:
    def __init__(self, socket, options):
        self.socket = socket
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.RECONNECT_IVL, 20)
        for endpoint in options.connect:
            socket.connect(endpoint)
        for endpoint in options.bind:
            socket.bind(endpoint)
        self.poller = zmq.Poller()
        self.poller.register(sys.stdin.fileno(), zmq.POLLIN)
        self.poller.register(socket, zmq.POLLIN)
        self.buffer = b""
        say("ready", endpoint=socket.getsockopt(zmq.LAST_ENDPOINT).decode().rstrip("\0"))

    def look(self, timeout):
        """The commands that have come, after the socket was served."""
        events = dict(self.poller.poll(timeout))
        if self.socket in events:
            self.receive()
        if sys.stdin.fileno() not in events:
            return []
        data = sys.stdin.buffer.read1(65536)
        if not data:
            sys.exit(0)
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        return [json.loads(line)["do"] for line in lines]


class Publisher(Peer):
    """Sends at a rate; waits where there is no room, so that nothing is lost before the proxy."""

    def __init__(self, context, options):
        socket = context.socket(zmq.XPUB)
        socket.setsockopt(zmq.XPUB_NODROP, 1)
        socket.setsockopt(zmq.SNDHWM, 1000)
        self.id, self.rate, self.filling = options.id, options.rate, b"." * options.size
        self.number = 0
        self.running = False
        self.credit = self.last = 0
        super().__init__(socket, options)

    def receive(self):
        try:
            while True:
                self.socket.recv(zmq.DONTWAIT)
        except zmq.Again:
            pass

    def run(self):
        while True:
            for command in self.look(5 if self.running else None):
                if command == "run":
                    self.running, self.last = True, time.monotonic()
                elif command == "stop":
                    self.running = False
                    say("stopped", number=self.number)
                elif command == "one":
                    self.credit, self.last = max(1, self.credit), time.monotonic()
                    self.send()
                    self.credit = 0
                    say("stopped", number=self.number)
            if self.running:
                self.send()

    def send(self):
        now = time.monotonic()
        self.credit = min(self.credit + (now - self.last) * self.rate, self.rate)
        self.last = now
        while self.credit >= 1:
            head = HEAD.pack(b"s", self.id, self.number)
            frames = [head, self.filling, struct.pack("<I", zlib.crc32(self.filling,
                                                                       zlib.crc32(head)))]
            try:
                self.socket.send_multipart(frames, zmq.DONTWAIT)
            except zmq.Again:
                return
            self.credit -= 1
            self.number += 1


class Subscriber(Peer):
    def __init__(self, context, options):
        socket = context.socket(zmq.SUB)
        socket.setsockopt(zmq.RCVHWM, 100)
        socket.setsockopt(zmq.RCVBUF, 64 << 10)
        socket.setsockopt(zmq.SUBSCRIBE, b"s")
        self.broken = self.backward = 0
        self.sources = {}  # id: [count, first, last]
        super().__init__(socket, options)

    def receive(self):
        try:
            for _ in range(500):
                self.check(self.socket.recv_multipart(zmq.DONTWAIT))
        except zmq.Again:
            pass

    def check(self, frames):
        if len(frames) != 3 or len(frames[0]) != HEAD.size or \
                zlib.crc32(frames[1], zlib.crc32(frames[0])) != struct.unpack("<I", frames[2])[0]:
            self.broken += 1
            return
        _, source, number = HEAD.unpack(frames[0])
        row = self.sources.setdefault(source, [0, number, number - 1])
        if number <= row[2]:
            self.backward += 1
        row[0] += 1
        row[2] = number

    def run(self):
        while True:
            for command in self.look(None):
                if command == "report":
                    say("report", broken=self.broken, backward=self.backward,
                        sources=self.sources)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=["publish", "subscribe"])
    parser.add_argument("--id", type=int, default=0)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--connect", action="append", default=[])
    parser.add_argument("--bind", action="append", default=[])
    options = parser.parse_args()
    kind = Publisher if options.role == "publish" else Subscriber
    kind(zmq.Context(), options).run()


if __name__ == "__main__":
    main()
