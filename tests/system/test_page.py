# SPDX-License-Identifier: Apache-2.0
"""The admin page in Chromium: runs the sidecar under load, and tests/page/page.test.mjs against it."""
import os
import subprocess

from support.admin import TOKEN, section
from support.ports import free_port
from support.wait import patience

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "page", "page.test.mjs")


def test_the_page_in_chromium(sidecar, subscriber, scratch):
    port, out = free_port(), free_port()
    started = sidecar(f"""
[route market]
[source feed]
route = market
bind = ipc://{scratch}/in.sock
[generator load]
route = market
rate = 2000
[sink edge]
route = market
engine = native
bind = tcp://127.0.0.1:{out}
[route old]
[source past]
route = old
bind = ipc://{scratch}/past.sock
[sink museum]
route = old
engine = zmq
bind = ipc://{scratch}/museum.sock
{section(scratch, port)}""")
    subscriber(f"tcp://127.0.0.1:{out}")
    started.attached(edge=1)
    shots = os.environ["SLUICE_SHOTS"]
    os.makedirs(shots, exist_ok=True)
    done = subprocess.run(
        ["node", "--test", "--test-reporter=spec", SCRIPT], text=True, capture_output=True,
        timeout=patience(240), check=False,
        env={**os.environ, "SLUICE_URL": f"http://127.0.0.1:{port}/", "SLUICE_TOKEN": TOKEN})
    print(done.stdout[-6000:], done.stderr[-3000:])
    assert done.returncode == 0
    for name in ("light", "dark", "narrow"):
        assert os.path.getsize(f"{shots}/{name}.png") > 10_000
    started.assert_alive()
