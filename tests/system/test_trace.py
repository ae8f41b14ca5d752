# SPDX-License-Identifier: Apache-2.0
"""`sluice trace`: any program under the system-call counter."""
import json
import subprocess
import sys

from support.sidecar import BINARY

PROGRAM = """
import socket
a, b = socket.socketpair()
for _ in range(500):
    a.send(b"x")
    b.recv(1)
raise SystemExit(7)
"""


def test_counts_any_program_and_keeps_its_exit_code(tmp_path):
    out = tmp_path / "trace.json"
    done = subprocess.run([BINARY, "trace", "--json", "-o", out, "--", sys.executable, "-c", PROGRAM],
                          timeout=60)
    assert done.returncode == 7
    counts = json.loads(out.read_text(encoding="utf-8"))[0]["syscalls"]["other"]
    assert counts["sendto"] == 500 and counts["recvfrom"] == 500
