#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""capacity_receivers.py ENDPOINT COUNT [ENDPOINT COUNT]...: subscribers of everything as plain sockets
in one process, which count bytes: as cheap as can be. Says "ready" when all have shaken hands; answers
every line on stdin with the bytes that each has received so far, as JSON."""

import json
import select
import socket
import struct
import sys

GREETING = b"\xff" + bytes(7) + b"\x01\x7f\x03\x00NULL".ljust(56, b"\0")
READY = b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03SUB"
SUBSCRIBE = b"\x00\x01\x01"


def take(connection, count):
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise ConnectionError("closed during the handshake")
        data += piece
    return data


def subscribe(endpoint):
    host, port = endpoint.removeprefix("tcp://").rsplit(":", 1)
    connection = socket.create_connection((host, int(port)), timeout=10)
    connection.sendall(GREETING)
    take(connection, len(GREETING))
    connection.sendall(READY)
    flags, size = take(connection, 2)
    if flags != 4 or not take(connection, size).startswith(b"\x05READY"):
        raise ConnectionError("no READY")
    connection.sendall(SUBSCRIBE)
    connection.setblocking(False)
    return connection


def main(words):
    poller = select.epoll()
    crowd, received = {}, {}
    for endpoint, count in zip(words[::2], words[1::2]):
        for _ in range(int(count)):
            connection = subscribe(endpoint)
            crowd[connection.fileno()] = connection
            received[connection.fileno()] = 0
            poller.register(connection, select.EPOLLIN)
    poller.register(sys.stdin, select.EPOLLIN)
    print("ready", flush=True)
    room = memoryview(bytearray(1 << 18))
    while True:
        for number, _ in poller.poll():
            if number not in crowd:
                if not sys.stdin.readline():
                    return
                print(json.dumps(list(received.values())), flush=True)
                continue
            count = crowd[number].recv_into(room)
            if count == 0:
                raise ConnectionError("a proxy has closed a connection")
            received[number] += count


if __name__ == "__main__":
    assert len(GREETING) == 64 and struct.calcsize("B") == 1
    main(sys.argv[1:])
