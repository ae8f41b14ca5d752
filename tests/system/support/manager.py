# SPDX-License-Identifier: Apache-2.0
"""What a service manager does for Type=notify."""
import socket

from .wait import patience


class Manager:
    """The other end of NOTIFY_SOCKET."""

    def __init__(self, scratch):
        self.path = f"{scratch}/notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(patience())

    def next(self, skip="WATCHDOG"):
        """The next datagram as a dictionary."""
        while True:
            fields = dict(line.split("=", 1) for line in self.socket.recv(4096).decode().split("\n"))
            if skip not in fields:
                return fields
