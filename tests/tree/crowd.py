# SPDX-License-Identifier: Apache-2.0
"""crowd.py ENDPOINT COUNT TOPIC...: COUNT subscribers in one process, each on a connection of its own.

Every one takes all topics whose names begin with the first one, and one of the others in turn.
JSON commands on stdin: {"do": "report"}, {"do": "quit"}; events: ready, report. Messages are those
of tests/system/support/publisher.py.
"""
import json
import sys

import zmq

from support.message import TAIL


class Subscriber:
    """One connection and what it saw of each source: [count, first, last, gaps, missing, late]."""

    def __init__(self, context, endpoint, topics):
        self.sources = {}
        self.socket = context.socket(zmq.SUB)
        self.socket.setsockopt(zmq.RECONNECT_IVL, 50)
        self.socket.setsockopt(zmq.RECONNECT_IVL_MAX, 500)
        self.socket.setsockopt(zmq.RCVHWM, 0)
        for topic in topics:
            self.socket.setsockopt(zmq.SUBSCRIBE, topic.encode())
        self.socket.connect(endpoint)

    def receive(self, skip):
        try:
            while True:
                source, number, _ = TAIL.unpack_from(self.socket.recv(zmq.DONTWAIT), skip)
                row = self.sources.setdefault(source, [0, number, number - 1, 0, 0, 0])
                row[0] += 1
                if number > row[2] + 1:
                    row[3] += 1
                    row[4] += number - row[2] - 1
                elif number <= row[2]:
                    row[5] += 1
                row[2] = number
        except zmq.Again:
            pass


def say(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def main(endpoint, count, topic, *others):
    context = zmq.Context()
    crowd = {}
    poller = zmq.Poller()
    stdin = sys.stdin.fileno()
    poller.register(stdin, zmq.POLLIN)
    for index in range(int(count)):
        own = [others[index % len(others)]] if others else []
        subscriber = Subscriber(context, endpoint, [topic, *own])
        crowd[subscriber.socket] = subscriber
        poller.register(subscriber.socket, zmq.POLLIN)
    say("ready", endpoint=endpoint)
    while True:
        events = dict(poller.poll())
        for socket in events.keys() - {stdin}:
            crowd[socket].receive(len(topic))
        if stdin in events:
            line = sys.stdin.readline()
            if not line or json.loads(line)["do"] == "quit":
                return
            names = ("count", "first", "last", "gaps", "missing", "late")
            say("report", subscribers=[{str(k): dict(zip(names, v)) for k, v in s.sources.items()}
                                       for s in crowd.values()])


if __name__ == "__main__":
    main(*sys.argv[1:])
