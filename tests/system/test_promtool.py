# SPDX-License-Identifier: Apache-2.0
"""Prometheus' own opinion of /metrics."""
import os
import subprocess

from support.wait import patience


def test_promtool_finds_nothing(admin, subscriber, publisher):
    sidecar, http = admin()
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    sidecar.attached(edge=1)
    writer.subscribed(b"")
    writer.send(100)
    reader.expect(100)
    checked = subprocess.run([os.environ["SLUICE_PROMTOOL"], "check", "metrics"],
                             input=http.metrics().text, text=True, capture_output=True,
                             timeout=patience(60), check=False)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")
