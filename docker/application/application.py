# SPDX-License-Identifier: Apache-2.0
"""application.py publish | subscribe: the two ends of the compose example.

publish    sends COUNT numbered messages of SIZE bytes (0: without end, RATE a second) to ENDPOINT,
           once every name in READY has subscribed to "ready.NAME"; it waits when it is full.
subscribe  takes them from ENDPOINT, checks that each comes once and in order, and ends after COUNT
           (0: never) with 0, or with 1 when something was missing. NAME is its name in READY.
"""
import os
import signal
import struct
import sys
import time

import zmq

ENDPOINT = os.environ["ENDPOINT"]
COUNT = int(os.environ.get("COUNT", "0"))
SIZE = int(os.environ.get("SIZE", "100"))
RATE = float(os.environ.get("RATE", "0"))
NUMBER = struct.Struct("<Q")
TOPIC = b"data."


def say(text):
    print(text, flush=True)


def wait_for_subscribers(socket, names):
    missing = {b"\1ready." + name.encode() for name in names}
    while missing:
        missing.discard(socket.recv())
    say(f"subscribed: {' '.join(names) or 'nobody awaited'}")


def publish(context):
    socket = context.socket(zmq.XPUB)
    socket.setsockopt(zmq.XPUB_NODROP, 1)
    socket.setsockopt(zmq.XPUB_VERBOSE, 1)
    socket.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
    socket.connect(ENDPOINT)
    wait_for_subscribers(socket, os.environ.get("READY", "").split())
    filler = b"." * max(0, SIZE - len(TOPIC) - NUMBER.size)
    begin = time.monotonic()
    number = 0
    while COUNT == 0 or number < COUNT:
        if RATE and number > (time.monotonic() - begin) * RATE:
            time.sleep(0.001)
            continue
        socket.send(TOPIC + NUMBER.pack(number) + filler)
        number += 1
    say(f"sent {number} in {time.monotonic() - begin:.2f} s")
    socket.close(linger=30000)
    context.term()  # returns when the proxy has taken everything


def subscribe(context):
    name = os.environ.get("NAME", "anybody")
    socket = context.socket(zmq.SUB)
    socket.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
    socket.setsockopt(zmq.SUBSCRIBE, TOPIC)
    socket.setsockopt(zmq.SUBSCRIBE, b"ready." + name.encode())  # after it: the other has arrived
    socket.connect(ENDPOINT)
    say(f"{name}: connected to {ENDPOINT}")
    count = gaps = backward = 0
    expected = None
    begin = told = time.monotonic()
    while COUNT == 0 or count < COUNT:
        number = NUMBER.unpack_from(socket.recv(), len(TOPIC))[0]
        if expected is None:
            begin = time.monotonic()
            gaps += COUNT != 0 and number != 0
        elif number > expected:
            gaps += 1
        elif number < expected:
            backward += 1
        expected = number + 1
        count += 1
        if COUNT == 0 and time.monotonic() - told > 5:
            told = time.monotonic()
            say(f"{name}: {count} received, {gaps} gaps, {backward} late")
    seconds = max(time.monotonic() - begin, 1e-9)
    say(f"{name}: received {count} in {seconds:.2f} s ({count / seconds:,.0f}/s), "
        f"{gaps} gaps, {backward} late")
    sys.exit(1 if gaps or backward else 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # as PID 1 there is no default
    {"publish": publish, "subscribe": subscribe}[sys.argv[1]](zmq.Context())
