# SPDX-License-Identifier: Apache-2.0
"""Field reports IPC: paths, modes, abstract names, what is left behind."""
import os
import re
import socket
import stat

import pytest

from support.sidecar import run
from support.wait import eventually


@pytest.fixture
def start(sidecar, scratch, engine):
    def go(endpoint, *lines, ready=True, **options):
        more = "\n".join(lines)
        return sidecar(f"[source feed]\nbind = ipc://{scratch}/in.sock\n"
                       f"[sink edge]\nengine = {engine}\n{more}\nbind = {endpoint}\n",
                       ready=ready, **options)
    return go


@pytest.fixture
def fails(start):
    def go(endpoint, *lines):
        started = start(endpoint, *lines, ready=False)
        code = started.wait()
        assert code in (1, 78), (code, started.err.text())
        assert not started.log(r"\bready\b")
        return started.err.text()
    return go


@pytest.fixture
def flows(publisher, subscriber, scratch):
    def check(endpoint):
        reader = subscriber(endpoint)
        writer = publisher(f"ipc://{scratch}/in.sock")
        writer.subscribed(b"")
        writer.send(3)
        reader.expect(3)
    return check


def test_I_01_the_path_limit(start, fails, flows, scratch):
    def path(length):
        return scratch + "/" + "x" * (length - len(scratch) - 1)
    start(f"ipc://{path(107)}", name="fits").assert_alive()
    flows(f"ipc://{path(107)}")
    text = fails(f"ipc://{path(108)}")
    assert "107" in text and path(108) in text
    assert not os.path.exists(path(108))


def test_I_02_distinct_reasons(fails, scratch):
    os.mkdir(f"{scratch}/directory")
    missing = fails(f"ipc://{scratch}/nosuch/x.sock")
    assert f"the directory {scratch}/nosuch does not exist" in missing
    directory = fails(f"ipc://{scratch}/directory")
    assert f"ipc://{scratch}/nosuch/x.sock" in missing
    assert f"ipc://{scratch}/directory" in directory
    assert missing.replace("nosuch/x.sock", "") != directory.replace("directory", "")
    assert os.path.isdir(f"{scratch}/directory")


def test_I_02_a_directory_that_may_not_be_written(fails, scratch):
    if os.geteuid() == 0:  # root may write everywhere but here
        endpoint = "ipc:///proc/self/x.sock"
    else:
        os.mkdir(f"{scratch}/closed", 0o500)
        endpoint = f"ipc://{scratch}/closed/x.sock"
    assert endpoint in fails(endpoint)


@pytest.mark.parametrize("mode", ["0660", "0600", "0666"])
def test_I_03_mode_as_configured_whatever_the_umask(start, scratch, mode):
    start(f"ipc://{scratch}/out.sock", f"mode = {mode}", preexec=lambda: os.umask(0o077))
    assert stat.S_IMODE(os.stat(f"{scratch}/out.sock").st_mode) == int(mode, 8)


def test_I_03_defaults_data_0660_control_0600(start, scratch):
    started = start(f"ipc://{scratch}/out.sock", preexec=lambda: os.umask(0))
    mode = lambda path: stat.S_IMODE(os.stat(path).st_mode)
    assert mode(f"{scratch}/out.sock") == mode(f"{scratch}/in.sock") == 0o660
    assert mode(started.control[len("ipc://"):]) == 0o600


def test_I_03_never_wider_than_configured(start, scratch):
    import threading
    seen, ended = set(), threading.Event()

    def watch():
        while not ended.is_set():
            try:
                seen.add(stat.S_IMODE(os.stat(f"{scratch}/out.sock").st_mode))
            except FileNotFoundError:
                pass
    thread = threading.Thread(target=watch)
    thread.start()
    try:
        for i in range(10):
            started = start(f"ipc://{scratch}/out.sock", "mode = 0640", name=f"s{i}",
                            preexec=lambda: os.umask(0))
            assert started.stop() == 0
    finally:
        ended.set()
        thread.join()
    assert all(mode & ~0o640 == 0 for mode in seen), [oct(m) for m in seen]


def test_I_04_abstract_names(start, fails, flows, scratch):
    name = f"sluice-test-{os.getpid()}"
    started = start(f"ipc://@{name}")
    flows(f"ipc://@{name}")
    assert not [n for n in os.listdir(scratch) if name in n]
    assert f"@{name}" in fails_other(started, scratch, f"ipc://@{name}")
    assert "ipc://@" in fails("ipc://@")


def fails_other(started, scratch, endpoint):
    path = os.path.join(scratch, "other.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"[source feed]\nbind = ipc://{scratch}/other.sock\n[sink edge]\n"
                   f"bind = {endpoint}\n")
    done = run("run", "-c", path)
    assert done.returncode == 1, done.stderr
    started.assert_alive()
    return done.stderr


def test_I_05_wildcard_is_refused_by_name(start, scratch):
    place = os.path.join(scratch, "t")
    os.mkdir(place)
    started = start("ipc://*", env={"TMPDIR": place, "TMP": place, "TEMPDIR": place}, ready=False)
    assert started.wait() == 78 and "ipc://*" in started.err.text()
    assert os.listdir(place) == []


def test_I_06_relative_paths_are_resolved(start, flows, scratch):
    started = start("ipc://x.sock")  # it runs in the scratch directory, its peers do not
    (endpoint,) = started.sink("edge")["endpoints"]
    assert endpoint == f"ipc://{scratch}/x.sock"
    assert started.log(re.escape(endpoint)), "the log shows the full path"
    flows(endpoint)


def test_I_07_missing_parent_is_a_clear_error(fails, scratch):
    text = fails(f"ipc://{scratch}/a/b/x.sock")
    assert re.search(r"directory", text, re.I) and f"{scratch}/a/b" in text
    assert not os.path.exists(f"{scratch}/a")


def test_a_regular_file_is_never_taken(fails, scratch):
    path = f"{scratch}/precious"
    with open(path, "w", encoding="utf-8") as file:
        file.write("data")
    assert path in fails(f"ipc://{path}")
    with open(path, encoding="utf-8") as file:
        assert file.read() == "data"


def test_a_live_listener_is_refused_and_a_dead_socket_replaced(start, fails, flows, scratch):
    path = f"{scratch}/out.sock"
    with socket.socket(socket.AF_UNIX) as live:
        live.bind(path)
        live.listen()
        assert path in fails(f"ipc://{path}")
        assert stat.S_ISSOCK(os.stat(path).st_mode)
    assert os.path.exists(path), "the dead socket's file is still there"
    start(f"ipc://{path}", name="second")
    flows(f"ipc://{path}")


def test_two_sidecars_on_one_path_the_second_is_refused(start, fails, scratch):
    started = start(f"ipc://{scratch}/out.sock")
    assert f"{scratch}/out.sock" in fails_other(started, scratch, f"ipc://{scratch}/out.sock")
    assert os.path.exists(f"{scratch}/out.sock")


def test_a_path_taken_over_meanwhile_is_not_removed_at_exit(start, scratch):
    started = start(f"ipc://{scratch}/out.sock")
    os.unlink(f"{scratch}/out.sock")
    with open(f"{scratch}/out.sock", "w", encoding="utf-8") as file:
        file.write("somebody else's")
    assert started.stop() == 0
    assert os.path.isfile(f"{scratch}/out.sock")
