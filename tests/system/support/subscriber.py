# SPDX-License-Identifier: Apache-2.0
"""A subscriber process: JSON commands on stdin, JSON events on stdout.

Topics are hex. Messages are those of publisher.py; their order is checked per source. Commands:
{"do": "expect", "total"}, {"do": "report"}, {"do": "hold"}, {"do": "read"}, {"do": "subscribe" |
"unsubscribe", "topic"}, {"do": "connect"|"disconnect", "endpoint"}, {"do": "tell", "count"} (the
next messages are told in full), {"do": "quit"}. Events: ready, complete, report, message.
"""
import argparse
import collections
import json
import sys
import time

import zmq

from message import TAIL


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


class Subscriber:
    def __init__(self, options):
        self.topics = sorted((bytes.fromhex(t) for t in options.subscribe), key=len, reverse=True)
        self.prefix = options.prefix
        self.total = self.bad = self.to_tell = 0
        self.target = None
        self.sources = {}  # id -> [count, first, last, gaps, backward]
        self.ages = {}  # id -> the last of them, from sending to this process's look, in ns
        self.first_ns = self.last_ns = 0
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.SUB)
        self.socket.setsockopt(zmq.RCVHWM, options.hwm)
        if options.rcvbuf:
            self.socket.setsockopt(zmq.RCVBUF, options.rcvbuf)
        self.socket.setsockopt(zmq.RECONNECT_IVL, 20)
        self.socket.setsockopt(zmq.RECONNECT_IVL_MAX, 200)
        self.socket.setsockopt(zmq.LINGER, 0)
        if options.ipv6:
            self.socket.setsockopt(zmq.IPV6, 1)
        for topic in self.topics:
            self.socket.setsockopt(zmq.SUBSCRIBE, topic)
        for endpoint in options.connect:
            self.socket.connect(endpoint)
        for endpoint in options.bind:
            self.socket.bind(endpoint)
        self.poller = zmq.Poller()
        self.poller.register(sys.stdin.fileno(), zmq.POLLIN)
        self.reading = not options.hold
        if self.reading:
            self.poller.register(self.socket, zmq.POLLIN)
        self.buffer = b""

    def run(self):
        say("ready", endpoint=self.socket.getsockopt(zmq.LAST_ENDPOINT).decode().rstrip("\0"))
        stdin = sys.stdin.fileno()
        while True:
            events = dict(self.poller.poll())
            if self.socket in events:
                self.receive()
            if stdin in events:
                data = sys.stdin.buffer.read1(65536)
                if not data:
                    self.quit()
                self.buffer += data
                *lines, self.buffer = self.buffer.split(b"\n")
                for line in lines:
                    self.command(json.loads(line))

    def receive(self):
        recv, skip, unpack = self.socket.recv, self.prefix, TAIL.unpack_from
        self.last_ns = time.monotonic_ns()
        self.first_ns = self.first_ns or self.last_ns
        try:
            for _ in range(1000):
                if self.to_tell:
                    self.tell(self.socket.recv_multipart(zmq.DONTWAIT))
                    continue
                data = recv(zmq.DONTWAIT)
                self.total += 1
                if len(data) >= skip + TAIL.size:
                    self.count(*unpack(data, skip))
                else:
                    self.bad += 1
                if self.total == self.target:
                    say("complete", total=self.total)
        except zmq.Again:
            pass

    def tell(self, frames):
        self.total += 1
        self.to_tell -= 1
        say("message", frames=[f.hex() for f in frames], at=time.monotonic_ns())
        if self.total == self.target:
            say("complete", total=self.total)

    def count(self, source, number, stamp):
        row = self.sources.get(source)
        if row is None:
            self.sources[source] = [1, number, number, 0, 0]
            self.ages[source] = collections.deque([self.last_ns - stamp], maxlen=2000)
            return
        self.ages[source].append(self.last_ns - stamp)
        row[0] += 1
        if number != row[2] + 1:
            row[3 if number > row[2] else 4] += 1
        row[2] = number

    def command(self, command):
        do = command["do"]
        if do == "expect":
            self.target = command["total"]
            if self.total >= self.target:
                say("complete", total=self.total)
        elif do == "report":
            names = ("count", "first", "last", "gaps", "backward")
            say("report", total=self.total, bad=self.bad, first_ns=self.first_ns,
                last_ns=self.last_ns, now_ns=time.monotonic_ns(),
                median_ns={str(k): sorted(v)[len(v) // 2] for k, v in self.ages.items()},
                sources={str(k): dict(zip(names, v)) for k, v in self.sources.items()})
        elif do == "hold" and self.reading:
            self.reading = False
            self.poller.unregister(self.socket)
            say("holding")
        elif do == "read" and not self.reading:
            self.reading = True
            self.poller.register(self.socket, zmq.POLLIN)
            say("reading")
        elif do == "tell":
            self.to_tell = command["count"]
            say("telling")
        elif do in ("subscribe", "unsubscribe"):
            option = zmq.SUBSCRIBE if do == "subscribe" else zmq.UNSUBSCRIBE
            self.socket.setsockopt(option, bytes.fromhex(command["topic"]))
            say(do + "d")
        elif do in ("connect", "disconnect"):
            getattr(self.socket, do)(command["endpoint"])
            say(do + "ed")
        elif do == "quit":
            self.quit()

    def quit(self):
        self.socket.close()
        self.context.term()
        say("bye")
        sys.exit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--connect", action="append", default=[])
    parser.add_argument("--bind", action="append", default=[])
    parser.add_argument("--subscribe", action="append", default=[], help="hex")
    parser.add_argument("--prefix", type=int, default=0, help="length of the topic in messages")
    parser.add_argument("--hwm", type=int, default=1000)
    parser.add_argument("--rcvbuf", type=int, default=0)
    parser.add_argument("--hold", action="store_true", help="do not read until told")
    parser.add_argument("--ipv6", action="store_true")
    Subscriber(parser.parse_args()).run()


if __name__ == "__main__":
    main()
