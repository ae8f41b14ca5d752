# SPDX-License-Identifier: Apache-2.0
"""CURVE on sources, sinks and control: keys from files, allow-lists, and nothing of them in sight."""
import os
import re
import stat
import subprocess

import pytest
import zmq

from support.keys import Keys
from support.ports import free_port
from support.sidecar import run
from support.wait import eventually, patience


@pytest.fixture
def keys(scratch):
    made = Keys(scratch)
    for name in ("server", "alice", "bob"):
        made.make(name)
    return made


@pytest.fixture
def context():
    made = zmq.Context()
    yield made
    made.destroy(linger=0)


def peer(context, keys, kind, endpoint, name, server="server"):
    """A CURVE client."""
    sock = context.socket(kind)
    sock.setsockopt(zmq.LINGER, 0)
    sock.setsockopt(zmq.RECONNECT_IVL, 20)
    sock.setsockopt(zmq.RCVTIMEO, int(patience() * 1000))
    sock.setsockopt(zmq.SNDTIMEO, int(patience() * 1000))
    if name:
        sock.curve_publickey = keys.public(name).encode()
        sock.curve_secretkey = keys.secret(name).encode()
        sock.curve_serverkey = keys.public(server).encode()
    if kind == zmq.SUB:
        sock.setsockopt(zmq.SUBSCRIBE, b"")
    sock.connect(endpoint)
    return sock


@pytest.fixture
def secured(sidecar, scratch, keys):
    """Source, sink and control with CURVE; alice may come in."""
    def start(*args, **options):
        ports = [free_port() for _ in range(3)]
        curve = f"curve_secret_file = {scratch}/server.secret\ncurve_allow_file = {scratch}/allowed\n"
        keys.allow("alice")
        started = sidecar(f"""
[route market]
[source feed]
bind = tcp://127.0.0.1:{ports[0]}
{curve}
[sink edge]
bind = tcp://127.0.0.1:{ports[1]}
{curve}
[control]
bind = tcp://127.0.0.1:{ports[2]}
{curve}
""", *args, **options)
        started.source, started.sink_, started.control = (f"tcp://127.0.0.1:{p}" for p in ports)
        return started
    return start


def ctl(sidecar, keys, name, *words):
    return run("ctl", "-c", sidecar.file, "--secret", f"{keys.folder}/{name}.secret", *words)


def passes(context, keys, sidecar, name="alice", server="server"):
    """Whether a message goes from a source to a subscriber, both with this key."""
    with peer(context, keys, zmq.XPUB, sidecar.source, name, server) as source, \
            peer(context, keys, zmq.SUB, sidecar.sink_, name, server) as sub:
        assert source.recv() == b"\1"
        # That may have been the topic of one who is just leaving: then the first ones are lost.
        eventually(lambda: (source.send(b"secured"), sub.poll(50))[1])
        return sub.recv() == b"secured"


def test_keygen_makes_a_pair(scratch, keys):
    path = f"{scratch}/server.secret"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    public = keys.public("server").encode()
    assert len(public) == 40 and zmq.curve_public(keys.secret("server").encode()) == public
    again = run("keygen", f"{scratch}/server")
    assert again.returncode == 1 and "server.secret" in again.stderr
    assert keys.public("server").encode() == public, "nothing is written over"
    assert keys.secret("server") not in again.stdout + again.stderr
    assert run("keygen", "a", "b").returncode == 64
    assert run("keygen", f"{scratch}/no/such/folder").returncode == 1


def test_E_01_those_with_an_allowed_key_pass_and_others_do_not(secured, keys, context):
    sidecar = secured()
    assert passes(context, keys, sidecar)
    with peer(context, keys, zmq.SUB, sidecar.sink_, "bob") as bob, \
            peer(context, keys, zmq.SUB, sidecar.sink_, "alice", server="bob") as misled, \
            peer(context, keys, zmq.SUB, sidecar.sink_, None) as plain:  # no CURVE at all
        line = sidecar.wait_log(r"warning a connection is refused: sink\.edge at 127\.0\.0\.1")
        assert keys.public("bob") in line
        assert passes(context, keys, sidecar)
        assert not bob.poll(200) and not misled.poll(0) and not plain.poll(0)
    assert "engine = zmq" not in sidecar.err.text()


def test_the_allow_list_is_reloaded(secured, keys, context):
    sidecar = secured()
    keys.allow("alice", "bob")
    done = ctl(sidecar, keys, "alice", "reload")
    assert done.returncode == 0, done.stderr
    for part in ("source.feed.curve_allow_file", "sink.edge.curve_allow_file",
                 "control.curve_allow_file", "(former keys) -> (new keys)"):
        assert part in done.stdout
    assert passes(context, keys, sidecar, "bob")
    keys.allow("bob")
    assert ctl(sidecar, keys, "bob", "reload").returncode == 0
    assert ctl(sidecar, keys, "alice", "--timeout", "500ms", "ping").returncode == 69
    assert ctl(sidecar, keys, "bob", "ping").returncode == 0


def test_keys_are_rotated_by_reload(secured, keys, context, scratch):
    sidecar = secured()
    assert passes(context, keys, sidecar)
    keys.make("second")
    with open(sidecar.file, encoding="utf-8") as file:
        text = file.read()
    before, control = text.split("[control]")
    with open(sidecar.file, "w", encoding="utf-8") as file:
        file.write(before.replace("server.secret", "second.secret") + "[control]" + control)
    done = ctl(sidecar, keys, "alice", "reload")
    assert done.returncode == 0, done.stderr
    assert "sink.edge.curve_secret_file" in done.stdout
    assert passes(context, keys, sidecar, "alice", server="second")
    # The same file with another key in it is a rotation too.
    os.unlink(f"{scratch}/second.secret")
    os.unlink(f"{scratch}/second.public")
    keys.make("second")
    assert "(former keys) -> (new keys)" in ctl(sidecar, keys, "alice", "reload").stdout
    assert passes(context, keys, sidecar, "alice", server="second")


def test_a_set_does_not_read_key_files(secured, keys):
    sidecar = secured()
    os.unlink(f"{keys.folder}/allowed")
    done = run("ctl", "-e", sidecar.control, "--secret", f"{keys.folder}/alice.secret",
               "--server-key", f"{keys.folder}/server.public", "set", "coalesce_delay", "1ms")
    assert done.returncode == 0, done.stderr
    done = run("ctl", "-e", sidecar.control, "--secret", f"{keys.folder}/alice.secret",
               "--server-key", f"{keys.folder}/server.public", "reload")
    assert done.returncode == 1 and "curve_allow_file" in done.stderr


def test_control_needs_the_key_and_names_who_steered(secured, keys):
    sidecar = secured()
    done = ctl(sidecar, keys, "alice", "pause")
    assert done.returncode == 0, done.stderr
    assert f"key {keys.public('alice')}" in sidecar.wait_log("control: command PAUSE")
    assert ctl(sidecar, keys, "bob", "--timeout", "500ms", "pause").returncode == 69
    assert run("ctl", "-c", sidecar.file, "ping").returncode == 69
    assert run("ctl", "-e", sidecar.control, "--timeout", "300ms", "ping").returncode == 69


def test_as_a_client(sidecar, scratch, keys, context):
    """Sources and sinks that connect."""
    keys.allow("alice")
    source, sink = context.socket(zmq.XPUB), context.socket(zmq.SUB)
    endpoints = []
    for sock in (source, sink):
        sock.setsockopt(zmq.LINGER, 0)
        sock.setsockopt(zmq.RCVTIMEO, int(patience() * 1000))
        sock.curve_server = True
        sock.curve_publickey = keys.public("bob").encode()
        sock.curve_secretkey = keys.secret("bob").encode()
        endpoints.append(f"tcp://127.0.0.1:{free_port()}")
        sock.bind(endpoints[-1])
    sink.setsockopt(zmq.SUBSCRIBE, b"")
    curve = (f"curve_secret_file = {scratch}/alice.secret\n"
             f"curve_server_key_file = {scratch}/bob.public\n")
    sidecar(f"[source feed]\nconnect = {endpoints[0]}\n{curve}"
            f"[sink edge]\nconnect = {endpoints[1]}\n{curve}")
    # A bound SUB says what it wants when it is used.
    eventually(lambda: (sink.poll(0), source.poll(10))[1])
    assert source.recv() == b"\1"
    source.send(b"hello")
    assert sink.recv() == b"hello"


def test_nothing_of_a_secret_is_in_sight(secured, keys, context, scratch):
    sidecar = secured("-v")
    assert passes(context, keys, sidecar)
    secret = keys.secret("server")
    with open(f"/proc/{sidecar.pid}/coredump_filter", encoding="ascii") as file:
        assert int(file.read(), 16) == 0, "a core dump would hold keys"
    seen = [open(f"/proc/{sidecar.pid}/cmdline", encoding="latin-1").read(),
            open(f"/proc/{sidecar.pid}/environ", encoding="latin-1").read()]
    for words in (["status", "--json"], ["status"], ["get", "sink.edge.curve_secret_file"]):
        seen.append(ctl(sidecar, keys, "alice", *words).stdout)
    seen.append(run("show", "-c", sidecar.file).stdout)
    seen.append(ctl(sidecar, keys, "alice", "reload").stdout)
    os.chmod(f"{scratch}/server.secret", 0o644)
    refused = ctl(sidecar, keys, "alice", "reload")  # cannot read the sidecar's key for its public one
    seen += [refused.stdout, refused.stderr]
    assert sidecar.stop() == 0
    seen.append(sidecar.err.text())
    for text in seen:
        assert secret not in text and keys.secret("alice") not in text


@pytest.mark.parametrize("text, why", [
    ("[sink k]\nengine = native\nbind = tcp://127.0.0.1:*\ncurve_secret_file = {s}", "native has no CURVE"),
    ("[sink k]\nbind = tcp://127.0.0.1:*\nconnect = tcp://127.0.0.1:9\ncurve_secret_file = {s}\n"
     "curve_server_key_file = {p}", "make two sections"),
    ("[sink k]\nconnect = tcp://127.0.0.1:9\ncurve_secret_file = {s}", "needs curve_server_key_file"),
    ("[sink k]\nbind = tcp://127.0.0.1:*\ncurve_allow_file = {p}", "needs curve_secret_file"),
    ("[sink k]\nbind = tcp://127.0.0.1:*\ncurve_secret_file = {open}", "others can read"),
    ("[sink k]\nbind = tcp://127.0.0.1:*\ncurve_secret_file = /no/such", "cannot be read"),
    ("[sink k]\nbind = tcp://127.0.0.1:*\ncurve_secret_file = {bad}", "line 2 is no key"),
    ("[sink k]\nbind = tcp://127.0.0.1:*\ncurve_secret = x", "they stand in files"),
    ("[sink k]\nbind = tcp://127.0.0.1:*\n[control]\nbind = tcp://127.0.0.1:9", "allow_plain_tcp"),
    ("[sink k]\nbind = tcp://127.0.0.1:*\n[control]\nbind = tcp://127.0.0.1:9\n"
     "curve_secret_file = {s}", "needs curve_allow_file"),
])
def test_what_cannot_be_right_is_refused(scratch, keys, text, why):
    files = {"s": f"{scratch}/server.secret", "p": f"{scratch}/alice.public",
             "open": f"{scratch}/open", "bad": f"{scratch}/bad"}
    for name, content, mode in (("open", keys.secret("bob") + "\n", 0o644),
                                ("bad", "# a comment\nDO-NOT-SHOW-THIS\n", 0o600)):
        with open(files[name], "w", encoding="ascii") as file:
            file.write(content)
        os.chmod(files[name], mode)
    path = f"{scratch}/x.ini"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"[source f]\nbind = ipc://{scratch}/f\n" + text.format(**files) + "\n")
    done = run("check", "-c", path)
    assert done.returncode == 78 and why in done.stderr, done.stderr
    assert re.search(rf"(?m)^{re.escape(path)}:\d+: ", done.stderr)
    assert "DO-NOT-SHOW" not in done.stderr and keys.secret("bob") not in done.stderr


def test_a_sink_without_a_list_lets_in_who_knows_it_and_warns(sidecar, scratch, keys, context):
    port = free_port()
    started = sidecar(f"[source f]\nbind = ipc://{scratch}/f\n[sink edge]\n"
                      f"bind = tcp://127.0.0.1:{port}\ncurve_secret_file = {scratch}/server.secret\n")
    assert started.log(r"warning .*has no curve_allow_file")
    with peer(context, keys, zmq.SUB, f"tcp://127.0.0.1:{port}", "bob"):
        started.attached(edge=1)


def test_the_control_file_is_for_its_owner_only(basic, scratch):
    basic()
    assert stat.S_IMODE(os.stat(f"{scratch}/sluice-control.sock").st_mode) == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_another_user_cannot_steer(basic, scratch):
    basic()
    os.chmod(scratch, 0o755)
    script = (f"import os, socket; os.setgid(65534); os.setuid(65534)\n"
              f"s = socket.socket(socket.AF_UNIX); s.connect('{scratch}/sluice-control.sock')")
    done = subprocess.run(["/usr/bin/python3", "-c", script], capture_output=True, text=True,
                          timeout=patience())
    assert done.returncode != 0 and "PermissionError" in done.stderr
