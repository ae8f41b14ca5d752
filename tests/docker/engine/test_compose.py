# SPDX-License-Identifier: Apache-2.0
"""docker/compose.yaml as it stands: a million messages over each transport, none lost."""
import json
import os
import re
import subprocess
import uuid

import pytest

from engine import APPLICATION, IMAGE, ROOT, docker, eventually

FILE = ROOT / "docker/compose.yaml"


class Project:
    """One `docker compose` project; its own name, the images built for the tests."""

    def __init__(self, **env):
        self.name = "sluicetest" + uuid.uuid4().hex[:8]
        self.env = {**os.environ, "SLUICE_IMAGE": IMAGE, "SLUICE_APPLICATION_IMAGE": APPLICATION,
                    **env}

    def run(self, *words, check=True):
        done = subprocess.run(["docker", "compose", "-p", self.name, "-f", str(FILE), *words],
                              text=True, capture_output=True, env=self.env, timeout=300,
                              stdin=subprocess.DEVNULL)
        if check:
            assert done.returncode == 0, done.stderr
        return done

    def container(self, service):
        return self.run("ps", "-a", "-q", service).stdout.strip()

    def __enter__(self):
        self.run("up", "-d", "--no-build")
        return self

    def __exit__(self, *_):
        self.run("down", "-v", "-t", "5", check=False)


@pytest.fixture(autouse=True)
def compose():
    if docker("compose", "version", check=False).returncode != 0:
        pytest.skip("this docker has no compose")


@pytest.mark.parametrize("publish", ["ipc:///run/sluice/in.sock", "tcp://127.0.0.1:5555"])
def test_a_million_messages_none_lost(publish):
    with Project(PUBLISH=publish, COUNT="1000000") as project:
        assert not project.container("prometheus"), "started without its profile"
        ends = {}
        for service in ("subscriber-ipc", "subscriber-tcp", "publisher"):
            container = project.container(service)
            code = int(docker("wait", container, timeout=300).stdout)
            ends[service] = docker("logs", container).stdout
            assert code == 0, ends[service] + project.run("logs", "sluice").stdout
        for service in ("subscriber-ipc", "subscriber-tcp"):
            assert re.search(r"received 1000000 .* 0 gaps, 0 late", ends[service]), ends[service]
            print(publish, ends[service].splitlines()[-1])
        sidecar = project.container("sluice")
        eventually(lambda: docker("inspect", "-f", "{{.State.Health.Status}}",
                                  sidecar).stdout.strip() == "healthy",
                   60, lambda: docker("inspect", sidecar).stdout)
        status = json.loads(docker("exec", sidecar, "sluice", "ctl", "--json", "status").stdout)
        assert status["routes"][0]["frontend"]["received_messages"] == 1_000_000
        docker("stop", "-t", "20", sidecar)
        assert docker("inspect", "-f", "{{.State.ExitCode}}", sidecar).stdout.strip() == "0"


def test_the_metrics_profile_is_complete():
    services = Project().run("--profile", "metrics", "config", "--services").stdout.split()
    assert {"prometheus", "grafana"} <= set(services)
    for name in re.findall(r"\./(metrics/\S+?):", FILE.read_text()):
        assert (FILE.parent / name).is_file(), name
