# SPDX-License-Identifier: Apache-2.0
"""Type=notify as systemd would see it, and the unit file by systemd's own tools."""
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from support import sidecar as sidecar_module
from support.manager import Manager
from support.wait import eventually, patience

UNIT = os.environ["SLUICE_UNIT"]
FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "config", "systemd")


@pytest.fixture
def manager(scratch):
    opened = Manager(scratch)
    yield opened
    opened.socket.close()


def rewrite(sidecar, old, new):
    with open(sidecar.file, encoding="utf-8") as file:
        text = file.read()
    assert old in text
    with open(sidecar.file, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


def test_a_life_as_the_manager_sees_it(basic, manager):
    sidecar = basic(route="coalesce_delay = 0", env={"NOTIFY_SOCKET": manager.path})
    assert manager.next() == {"READY": "1", "STATUS": "forwarding"}
    sidecar.request("PAUSE")
    assert manager.next() == {"STATUS": "paused"}
    sidecar.send_signal(signal.SIGUSR2)
    assert manager.next() == {"STATUS": "forwarding"}

    rewrite(sidecar, "coalesce_delay = 0", "coalesce_delay = 1ms")
    before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
    sidecar.send_signal(signal.SIGHUP)
    reloading = manager.next()
    assert reloading["RELOADING"] == "1" and int(reloading["MONOTONIC_USEC"]) >= before
    assert manager.next() == {"READY": "1", "STATUS": "forwarding"}

    rewrite(sidecar, "coalesce_delay = 1ms", "coalesce_delay = soon")
    assert sidecar.request("RELOAD")[0].startswith(b"ERR")
    assert "RELOADING" in manager.next()
    failed = manager.next()
    assert failed["READY"] == "1"
    assert re.match(r"forwarding; the last reload failed: .*:3: coalesce_delay", failed["STATUS"])

    sidecar.send_signal(signal.SIGTERM)
    assert manager.next() == {"STOPPING": "1", "STATUS": "stopping: signal TERM"}
    assert sidecar.wait() == 0


def test_signs_of_life(basic, manager):
    sidecar = basic(env={"NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000"})
    for _ in range(5):
        while "WATCHDOG" not in manager.next(skip="READY"):
            pass
    sidecar.request("PAUSE")  # paused is alive
    while "WATCHDOG" not in manager.next(skip="READY"):
        pass
    assert sidecar.stop() == 0


def test_a_command_that_stops_is_told_too(basic, manager):
    sidecar = basic(env={"NOTIFY_SOCKET": manager.path})
    sidecar.request("TERMINATE")
    manager.next()
    assert manager.next()["STOPPING"] == "1"
    assert sidecar.wait() == 0


@pytest.fixture
def unit(scratch):
    """The unit as installed, with the built binary in it."""
    with open(UNIT, encoding="utf-8") as file:
        text = file.read()
    text, changed = re.subn(r"(?m)^ExecStart=\S+", f"ExecStart={sidecar_module.BINARY}", text)
    assert changed == 1
    path = f"{scratch}/sluice.service"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def analyze(*args):
    return subprocess.run(["systemd-analyze", *args], text=True, capture_output=True,
                          timeout=patience(60))


def test_the_unit_is_valid(unit):
    done = analyze("verify", "--man=no", "--recursive-errors=no", unit)
    ours = [line for line in done.stderr.splitlines() if "sluice" in line]
    assert done.returncode == 0 and not ours, done.stderr


def test_the_unit_exposes_little(unit):
    """systemd's own measure, in tenths: up to 20 is its "OK" of the best kind."""
    done = analyze("security", "--offline=yes", "--no-pager", "--threshold=20", unit)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"Overall exposure level for sluice.service: [01]\.\d", done.stdout), done.stdout


def test_what_the_command_line_says_is_a_command_line():
    text = open(UNIT, encoding="utf-8").read()
    (start,) = re.findall(r"(?m)^ExecStart=(\S+) (.*)$", text)
    assert start[0].endswith("/bin/sluice") and start[1] == "run -c /etc/sluice/sluice.ini"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_user_and_folders(scratch):
    root = f"{scratch}/root"
    os.makedirs(f"{root}/etc")
    for name in ("passwd", "group"):
        shutil.copy(f"/etc/{name}", f"{root}/etc/{name}")
    for name in ("sysusers", "tmpfiles"):
        os.makedirs(f"{root}/usr/lib/{name}.d")
        shutil.copy(f"{FOLDER}/sluice.{name}", f"{root}/usr/lib/{name}.d/sluice.conf")
    subprocess.run(["systemd-sysusers", f"--root={root}"], check=True, capture_output=True)
    with open(f"{root}/etc/passwd", encoding="utf-8") as file:
        assert re.search(r"(?m)^sluice:.*:/run/sluice:/usr/sbin/nologin$", file.read())
    subprocess.run(["systemd-tmpfiles", f"--root={root}", "--create"], check=True,
                   capture_output=True)
    keys = os.stat(f"{root}/etc/sluice/keys")
    assert keys.st_mode & 0o777 == 0o750 and keys.st_uid == 0 and keys.st_gid != 0
