# SPDX-License-Identifier: Apache-2.0
import contextlib
import os
import subprocess

import pytest

from engine import APPLICATION, IMAGE, ROOT, Pod, build, docker

SETTINGS = """[route market]
{route}
[source feed]
bind = ipc:///run/sluice/in.sock
bind = tcp://127.0.0.1:5555
[sink edge]
bind = tcp://127.0.0.1:5556
bind = ipc:///run/sluice/out.sock
{sink}
[control]
bind = ipc:///run/sluice/control.sock
"""


@pytest.fixture(scope="session", autouse=True)
def images():
    """Built once a session from the tree as it is; returns the revision that they name."""
    given = os.environ.get("SLUICE_TEST_IMAGE")
    if given:
        docker("tag", given, IMAGE)
    else:
        build_sidecar()
    build(APPLICATION, ROOT / "docker/application/Dockerfile", ROOT / "docker/application")
    return docker("inspect", "-f", '{{index .Config.Labels "org.opencontainers.image.revision"}}',
                  IMAGE).stdout.strip()


def build_sidecar():
    revision = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True,
                              capture_output=True, check=False).stdout.strip() or "unknown"
    build(IMAGE, ROOT / "docker/Dockerfile", ROOT, VERSION="1.2.3", REVISION=revision,
          CREATED="2026-01-02T03:04:05Z")


@pytest.fixture
def pod():
    with contextlib.closing(Pod()) as made:
        yield made


@pytest.fixture
def settings(tmp_path):
    """Writes a configuration that the image's user can read."""
    def write(text=None, route="", sink="on_full = block"):
        for folder in (tmp_path, *tmp_path.parents[:2]):
            folder.chmod(0o755)
        file = tmp_path / "sluice.ini"
        file.write_text(text if text is not None else SETTINGS.format(route=route, sink=sink))
        file.chmod(0o644)
        return file
    return write
