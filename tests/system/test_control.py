# SPDX-License-Identifier: Apache-2.0
"""Field reports CTRL: socket types, answers, wrong input."""
import socket
import threading

import pytest
import zmq

from support.wait import eventually, patience, stays


@pytest.fixture
def steered(basic, scratch, cleanup):
    """A sidecar with a control socket of this type, and a peer of the other."""
    def start(kind, peer_kind, **options):
        endpoint = f"ipc://{scratch}/steer.sock"
        sidecar = basic(extra=f"[control]\nbind = {endpoint}\ntype = {kind}\n", **options)
        sidecar.control = endpoint
        context = zmq.Context()
        peer = context.socket(peer_kind)
        peer.setsockopt(zmq.RCVTIMEO, int(patience() * 1000))
        peer.setsockopt(zmq.LINGER, 2000)
        peer.connect(endpoint)
        cleanup.callback(lambda: context.destroy(linger=0))
        return sidecar, peer
    return start


def test_C_03_each_request_gets_exactly_one_answer(basic):
    sidecar = basic()
    with sidecar.requester() as req:
        answers = []
        for word in (b"PAUSE", b"RESUME", b"STATISTICS", b"NOSUCHWORD", b"TERMINATE"):
            req.send(word)
            answers.append(req.recv_multipart())
    assert answers[0] == answers[1] == answers[4] == [b""]
    assert [len(f) for f in answers[2]] == [8] * 8
    assert answers[3][0].startswith(b"ERR NOSUCHWORD"), answers[3]
    assert sidecar.wait() == 0


@pytest.mark.parametrize("kind, peer", [
    ("rep", zmq.REQ), ("router", zmq.DEALER), ("pair", zmq.PAIR), ("sub", zmq.PUB),
    ("pull", zmq.PUSH)])
def test_C_02_every_control_type_steers(steered, publisher, subscriber, kind, peer):
    sidecar, control = steered(kind, peer)
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    answered = kind in ("rep", "router")

    def tell(word):
        control.send(word)
        if answered:
            assert control.recv() == b""

    def tell_until(word, condition):
        if peer == zmq.PUB:  # a late joiner may miss the first
            eventually(lambda: (control.send(word), condition())[1])
        else:
            tell(word)
            eventually(condition)

    writer.send(10)
    reader.expect(10)
    before = len(sidecar.log("paused"))
    tell_until(b"PAUSE", lambda: len(sidecar.log("paused")) > before)
    writer.send(10)
    stays(lambda: reader.total() == 10, 0.3)
    before = len(sidecar.log("running|resumed"))
    tell_until(b"RESUME", lambda: len(sidecar.log("running|resumed")) > before)
    reader.expect(20)
    if kind in ("pair", "router"):
        control.send(b"STATISTICS")
        assert [len(f) for f in control.recv_multipart()] == [8] * 8
    tell_until(b"TERMINATE", lambda: sidecar.process.poll() is not None)
    assert sidecar.wait() == 0


def test_C_01_control_type_sub_needs_no_subscription_of_ours(steered):
    sidecar, control = steered("sub", zmq.PUB)
    eventually(lambda: (control.send(b"TERMINATE"), sidecar.process.poll() is not None)[1])
    assert sidecar.wait() == 0


@pytest.mark.parametrize("kind, peer", [("pull", zmq.PUSH), ("sub", zmq.PUB)])
def test_C_04_statistics_over_a_one_way_socket_is_ignored(steered, publisher, subscriber, kind, peer):
    sidecar, control = steered(kind, peer)
    # A PUB says nothing before its peer is there.
    eventually(lambda: (control.send(b"STATISTICS"), sidecar.log("STATISTICS"))[1])
    for _ in range(10):
        control.send(b"STATISTICS")
    control.send(b"nonsense")
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(10)
    reader.expect(10)
    control.send(b"TERMINATE")
    assert sidecar.wait() == 0
    assert 1 <= len(sidecar.log("STATISTICS")) <= 3, "rate-limited"


def test_C_05_ctl_terminate_acknowledges(basic):
    sidecar = basic()
    done = sidecar.ctl("terminate")
    assert done.returncode == 0 and done.stdout.count("\n") == 1
    assert sidecar.wait() == 0
    dead = sidecar.ctl("--timeout", "300ms", "terminate")
    assert dead.returncode == 69


def test_C_05_ctl_wait_waits_for_the_stop(basic):
    sidecar = basic()
    assert sidecar.ctl("terminate", "--wait").returncode == 0
    assert sidecar.wait(patience(2)) == 0


def test_C_06_two_controllers_at_once(basic):
    sidecar = basic()
    failures = []

    def ask():
        with sidecar.requester() as req:
            for _ in range(1000):
                req.send(b"STATISTICS")
                frames = req.recv_multipart()
                if [len(f) for f in frames] != [8] * 8:
                    failures.append(frames)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(patience(60))
        assert not thread.is_alive()
    assert failures == []


@pytest.mark.parametrize("frames", [
    [b""], [b"\0"], [b"\xff" * 300], [b"STATUS\n"], [b"status"], [b" PAUSE"], [b"PAUSE", b"RESUME"],
    [b"x" * 1_000_000], [b"SET"], [b"SET inbound_poll_rate"], [b"GET"], [b"GET nosuch"],
    [b"SET inbound_poll_rate \xff\xfe"], [b"", b"STATUS"]])
def test_wrong_commands_are_answered_and_change_nothing(basic, frames):
    sidecar = basic()
    with sidecar.requester() as req:
        req.send_multipart(frames)
        answer = req.recv_multipart()
    assert answer[0].startswith(b"ERR "), answer[:1]
    assert len(answer) == 1 and all(32 <= b < 127 for b in answer[0]), answer
    assert sidecar.state() == "running"
    assert sidecar.route()["tuning"]["inbound_poll_rate"] == 1000


def test_wrong_commands_are_logged_but_not_each(basic):
    sidecar = basic()
    with sidecar.requester() as req:
        for _ in range(500):
            req.send(b"NOSUCHWORD")
            req.recv()
    assert 1 <= len(sidecar.log("NOSUCHWORD")) <= 20


# libzmq's REP swallows the next answer, whoever it is for, after a request without an empty frame of
# a peer that has gone: ZMTP 1.0 without more ado, as many a scanner's bytes are.
def test_junk_costs_nobody_an_answer(basic):
    sidecar = basic()
    with sidecar.requester() as req:
        for _ in range(100):
            with socket.socket(socket.AF_UNIX) as junk:
                junk.connect(sidecar.control[len("ipc://"):])
                junk.sendall(b"\x01\x00" + b"\x06\x00hello")
            for word in (b"PING", b"STATISTICS"):
                req.send(word)
                assert req.recv_multipart()
    assert sidecar.state() == "running"


def test_C_07_floods_from_before_the_start(basic, publisher, scratch):
    writers = [publisher(f"ipc://{scratch}/in.sock", id=i) for i in range(2)]
    for round_ in range(20):
        sidecar = basic(route='subscribe = ""', name=f"run{round_}")
        for writer in writers:
            if not round_:
                writer.send(1 << 40, wait=False)
        eventually(lambda: sidecar.statistics()[0] > 100)
        assert sidecar.stop() == 0


def test_get_echoes_every_kind_of_key(basic):
    sidecar = basic()
    for key, value in (("inbound_poll_rate", "1000"), ("route.market.linger", "500ms"),
                       ("sink.edge.send_hwm", "10"), ("edge.on_full", "block")):
        done = sidecar.ctl("get", key)
        assert done.returncode == 0 and value in done.stdout, (key, done.stdout, done.stderr)
