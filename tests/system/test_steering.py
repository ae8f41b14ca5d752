# SPDX-License-Identifier: Apache-2.0
"""PAUSE, RESUME, DRAIN, ATTACH, DETACH; field reports PAUSE."""
import os

import pytest

from support.wait import eventually, patience, stays


@pytest.fixture
def flowing(basic, publisher, subscriber):
    """A sidecar with a reader on the tcp sink and a subscribed writer."""
    def start(*args, **options):
        sidecar = basic(*args, **options)
        reader = subscriber(sidecar.tcp)
        sidecar.attached(edge=1)
        writer = publisher(sidecar.source)
        writer.subscribed(b"")
        return sidecar, writer, reader
    return start


def test_Z_01_pause_and_resume_have_an_effect(flowing):
    sidecar, writer, reader = flowing()
    writer.send(1 << 40, rate=1000, wait=False)
    eventually(lambda: reader.total() > 100)
    assert sidecar.request("PAUSE") == [b""]
    assert sidecar.state() == "paused"
    passed = sidecar.statistics()[6]
    reader.expect(passed)
    stays(lambda: sidecar.statistics()[6] == passed, 2)
    assert reader.total() == passed
    assert sidecar.request("RESUME") == [b""]
    eventually(lambda: reader.total() > passed)
    assert sidecar.state() == "running"


def test_Z_01_pause_and_resume_by_ctl(flowing):
    sidecar, writer, reader = flowing()
    assert sidecar.ctl("pause").returncode == 0
    writer.send(100)
    stays(lambda: sidecar.statistics()[6] == 0, 0.3)
    assert sidecar.ctl("resume").returncode == 0
    reader.expect(100)


def test_Z_03_held_in_order_up_to_the_marks(flowing):
    sidecar, writer, reader = flowing(source="recv_hwm = 1000")
    sidecar.request("PAUSE")
    writer.send(500)
    sidecar.request("RESUME")
    reader.expect(500)
    assert reader.report()["sources"]["0"]["gaps"] == 0


def test_Z_03_beyond_the_marks_the_excess_falls_under_the_source_policy(
        basic, publisher, subscriber):
    sidecar = basic(source="recv_hwm = 100\nrcvbuf = 4096")
    reader = subscriber(sidecar.tcp)
    sidecar.attached(edge=1)
    writer = publisher(sidecar.source, drop=True, hwm=100)
    writer.subscribed(b"")
    sidecar.request("PAUSE")
    sent = writer.send(100_000, size=1000)
    assert sent["full"] == 0 and sent["count"] == 100_000, "the source is not blocked in drop mode"
    sidecar.request("RESUME")
    eventually(lambda: sidecar.statistics()[6] == sidecar.statistics()[0] > 0)
    eventually(lambda: reader.report()["total"] > 0)
    report = reader.report()
    assert report["total"] < 100_000
    assert report["sources"]["0"]["first"] == 0 and report["sources"]["0"]["backward"] == 0


def test_Z_04_subscriptions_flow_during_a_pause(flowing, subscriber):
    sidecar, writer, reader = flowing()
    sidecar.request("PAUSE")
    second = subscriber(sidecar.ipc, topics=[b"b"]).listen()
    writer.subscribed(b"b")
    writer.raw(b"b1")
    sidecar.request("RESUME")
    assert second.messages(1) == [[b"b1"]]


def test_Z_05_repeats_are_acknowledged_no_ops(flowing):
    sidecar, writer, reader = flowing()
    states = []
    for word in ("RESUME", "PAUSE", "PAUSE", "RESUME"):
        assert sidecar.request(word) == [b""]
        states.append(sidecar.state())
    assert states == ["running", "paused", "paused", "running"]
    writer.send(10)
    reader.expect(10)


def test_pause_of_one_route_by_name(sidecar, scratch, engine):
    started = sidecar("\n".join(f"[route {n}]\n[source {n}s]\nroute = {n}\nbind = ipc://{scratch}/{n}\n"
                                f"[sink {n}k]\nroute = {n}\nengine = {engine}\n"
                                f"bind = ipc://{scratch}/{n}o" for n in ("one", "two")))
    started.request("PAUSE two")
    assert [r["state"] for r in started.status()["routes"]] == ["running", "paused"]
    assert started.request("PAUSE three")[0].startswith(b"ERR ")
    started.request("PAUSE")
    assert [r["state"] for r in started.status()["routes"]] == ["paused", "paused"]
    started.request("RESUME one")
    assert [r["state"] for r in started.status()["routes"]] == ["running", "paused"]


def test_C_09_attach_and_detach_at_run_time(flowing, publisher, scratch):
    sidecar, writer, reader = flowing()
    late = publisher(bind=f"ipc://{scratch}/late.sock", id=1)
    writer.send(1 << 40, rate=2000, wait=False)
    eventually(lambda: reader.total() > 100)
    endpoint = f"ipc://{scratch}/late.sock"
    assert sidecar.ctl("attach", "market", endpoint).returncode == 0
    late.subscribed(b"")
    late.send(100)
    eventually(lambda: reader.report()["sources"].get("1", {}).get("count") == 100)
    assert endpoint in [s["endpoint"] for s in sidecar.route()["sources"]]
    assert sidecar.ctl("attach", "market", endpoint).returncode == 0, "present: changes nothing"
    assert [s["endpoint"] for s in sidecar.route()["sources"]].count(endpoint) == 1
    assert sidecar.ctl("detach", "market", endpoint).returncode == 0
    eventually(lambda: endpoint not in [s["endpoint"] for s in sidecar.route()["sources"]])
    writer.tell("stop")
    count = writer.wait("sent")["count"]
    eventually(lambda: reader.report()["sources"]["0"]["count"] == count)
    assert reader.report()["sources"]["0"]["gaps"] == 0, "no gap in the first source"


def test_J_04_detach_twice_and_unknown(flowing, scratch):
    sidecar, *_ = flowing()
    assert sidecar.request(f"ATTACH market ipc://{scratch}/nobody")[0].startswith(b"OK")
    answers = [sidecar.request(f"DETACH market ipc://{scratch}/{name}")[0]
               for name in ("nobody", "nobody", "never")]
    assert answers[0].startswith(b"OK")
    assert all(b"unknown" in answer for answer in answers[1:]), answers
    sidecar.assert_alive()


@pytest.mark.parametrize("words", [
    "ATTACH", "ATTACH market", "ATTACH nosuch tcp://127.0.0.1:1", "ATTACH market nonsense",
    "ATTACH market tcp://*:5", "DETACH", "ATTACH market tcp://127.0.0.1:1 more"])
def test_wrong_attach_is_refused(basic, words):
    sidecar = basic()
    before = sidecar.route()["sources"]
    assert sidecar.request(words)[0].startswith(b"ERR ")
    assert sidecar.route()["sources"] == before


def test_drain_delivers_what_the_sources_hold_then_exits_0(flowing):
    sidecar, writer, reader = flowing(route="linger = 4s")
    sidecar.request("PAUSE")
    writer.send(5000)
    assert sidecar.ctl("drain").returncode == 0
    reader.expect(5000)
    assert sidecar.wait() == 0


def test_ping_status_stats_of_ctl(flowing):
    import json
    sidecar, writer, reader = flowing()
    writer.send(10)
    reader.expect(10)
    assert sidecar.ctl("ping").returncode == 0
    status = sidecar.ctl("--json", "status")
    assert status.returncode == 0, status.stderr
    told = json.loads(status.stdout)
    assert told["pid"] == sidecar.pid and told["routes"][0]["state"] == "running"
    table = sidecar.ctl("status")
    assert table.returncode == 0 and "market" in table.stdout and "running" in table.stdout
    stats = sidecar.ctl("stats")
    assert stats.returncode == 0 and "10" in stats.stdout
    assert json.loads(sidecar.ctl("--json", "stats").stdout)
    assert os.path.exists(f"/proc/{sidecar.pid}")


def test_stop_is_answered_in_every_state(basic, publisher, subscriber):
    sidecar = basic(policy="block")
    stuck = subscriber(sidecar.tcp, hold=True, hwm=1, rcvbuf=4096)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(1 << 40, size=1000, wait=False)
    eventually(lambda: sidecar.statistics()[0] > 0)
    for word in ("PAUSE", "RESUME", "STATUS", "PING", "TERMINATE"):
        sidecar.request(word)
    assert sidecar.wait(patience(5)) == 0
    stuck.kill()
