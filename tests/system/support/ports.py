# SPDX-License-Identifier: Apache-2.0
"""Free TCP ports; the same lock files as tests/support/ports.cpp, so both tiers may run at once."""
import fcntl
import os
import socket
import tempfile

_FIRST, _COUNT = 15_000, 10_000
_directory = os.path.join(tempfile.gettempdir(), "sluice-test-ports")
_held = []
_next = os.getpid() * 37 % _COUNT


def free_port():
    """A port on 127.0.0.1 that nobody uses, below the ephemeral range, ours until we exit."""
    global _next
    os.makedirs(_directory, exist_ok=True)
    for _ in range(_COUNT):
        port = _FIRST + _next
        _next = (_next + 1) % _COUNT
        lock = open(os.path.join(_directory, str(port)), "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                lock.close()
                continue
        _held.append(lock)
        return port
    raise RuntimeError("no free port")
