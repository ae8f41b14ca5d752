# SPDX-License-Identifier: Apache-2.0
"""Reload by HUP and by `ctl reload`: checked first, all or nothing, without touching the others."""
import json
import os
import signal

import pytest

from support.ports import free_port
from support.sidecar import run
from support.wait import eventually, patience


@pytest.fixture
def rewritten(sidecar, scratch):
    """A sidecar whose file can be rewritten; `ini` is a function of keyword arguments."""
    def start(ini, **options):
        started = sidecar(ini, **options)

        def write(text):
            text += f"\n[control]\nbind = {started.control}\n"
            with open(started.file + ".new", "w", encoding="utf-8") as file:
                file.write(text)
            os.rename(started.file + ".new", started.file)
        started.write = write
        return started
    return start


@pytest.fixture
def flow(rewritten, scratch, engine, publisher, subscriber):
    """A no-drop route under load: `flow.text(...)` makes its file with parts added or changed."""
    port = free_port()

    def text(route="", sink="", more=""):
        return f"""
[route market]
{route}
[source feed]
bind = ipc://{scratch}/in.sock
[sink edge]
engine = {engine}
bind = tcp://127.0.0.1:{port}
on_full = block
{sink}
{more}
"""
    started = rewritten(text())
    started.text = text
    started.reader = subscriber(f"tcp://127.0.0.1:{port}")
    started.attached(edge=1)
    started.writer = publisher(f"ipc://{scratch}/in.sock")
    started.writer.subscribed(b"")
    return started


def names(sidecar, kind, route=None):
    return [part["name"] for part in sidecar.route(route)[kind]]


def refused(sidecar):
    answer = sidecar.request("RELOAD")[0].decode()
    assert answer.startswith("ERR RELOAD "), answer
    return answer


def done(sidecar):
    answer = sidecar.request("RELOAD")[0].decode()
    assert answer.startswith("OK "), answer
    return answer


def test_parts_come_and_go_under_flood_without_loss(flow, scratch, publisher, subscriber):
    flow.writer.send(200_000, wait=False)
    for i in range(5):
        port = free_port()
        flow.write(flow.text(more=f"""
[source more]
bind = ipc://{scratch}/more.sock
[sink extra]
bind = tcp://127.0.0.1:{port}
[tap audit]
type = pub
bind = ipc://{scratch}/tap.sock
"""))
        answer = done(flow)
        for part in ("sink.extra is new", "source.more is new", "tap.audit is new"):
            assert part in answer
        assert names(flow, "sinks") == ["edge", "extra"]
        assert names(flow, "sources") == ["feed", "more"]
        flow.write(flow.text())
        assert "sink.extra is gone" in done(flow)
    flow.reader.expect(200_000, timeout=patience(60))
    assert flow.reader.report()["sources"]["0"]["gaps"] == 0
    assert names(flow, "sinks") == ["edge"]
    assert not os.path.exists(f"{scratch}/more.sock") and not os.path.exists(f"{scratch}/tap.sock")
    assert flow.status()["reload"]["successes"] == 10


def test_endpoints_come_and_go_without_cutting_the_others(flow, scratch, subscriber):
    flow.writer.send(100_000, wait=False)
    for _ in range(3):
        flow.write(flow.text(sink=f"bind = ipc://{scratch}/late.sock"))
        assert "sink.edge.bind: " in done(flow)
        late = subscriber(f"ipc://{scratch}/late.sock")
        flow.attached(edge=2)
        flow.write(flow.text())
        done(flow)
        eventually(lambda: flow.sink("edge")["peers"] == 1)
        assert not os.path.exists(f"{scratch}/late.sock")
        late.kill()
    flow.reader.expect(100_000, timeout=patience(60))
    assert flow.reader.report()["sources"]["0"]["gaps"] == 0


def test_bad_files_change_nothing_under_flood(flow, scratch):
    flow.writer.send(100_000, wait=False)
    bad = {
        "inbound_poll_rate = 0": r"inbound_poll_rate",
        "no_such_key = 1": r"no_such_key",
        "inbound_poll_rate = 7\nmax_topic = 1k": r"max_topic: 4KiB -> 1KiB needs a restart",
    }
    for i, (route, why) in enumerate(bad.items(), 1):
        flow.write(flow.text(route=route))
        answer = refused(flow)
        assert why in answer and f"{flow.file}:" in answer
        reload = flow.status()["reload"]
        assert (reload["result"], reload["failures"], reload["successes"]) == ("failed", i, 0)
        assert why in reload["error"]
    assert flow.route()["tuning"]["inbound_poll_rate"] == 1000
    flow.reader.expect(100_000, timeout=patience(60))
    assert flow.reader.report()["sources"]["0"]["gaps"] == 0
    flow.write(flow.text(route="inbound_poll_rate = 7"))
    assert "inbound_poll_rate: 1000 -> 7" in done(flow)
    assert flow.status()["reload"]["result"] == "ok"
    assert flow.route()["tuning"]["inbound_poll_rate"] == 7


def test_a_file_that_is_none_does_not_hold_up_anybody(flow, scratch):
    """A pipe would be waited for without end, a device read without end."""
    path = flow.file
    os.rename(path, path + ".good")
    for make in (lambda: os.mkfifo(path), lambda: os.symlink("/dev/zero", path),
                 lambda: os.mkdir(path), lambda: os.symlink(path, path), lambda: None):
        make()
        answer = refused(flow)
        assert "cannot be read: " in answer and path in answer
        assert flow.request("PING") == [b"OK"]
        os.path.isdir(path) and not os.path.islink(path) and os.rmdir(path)
        os.path.lexists(path) and os.unlink(path)
    for text in (os.urandom(1 << 20), b"a" * (5 << 20), b"\0" * 1000, b"[" * 100_000, b""):
        with open(path, "wb") as file:
            file.write(text)
        assert len(refused(flow)) < 5000
    os.rename(path + ".good", path)
    assert done(flow) == "OK nothing changed"
    flow.writer.send(100)
    flow.reader.expect(100)


def test_at_the_start_a_pipe_is_read(scratch):
    text = f"[source s]\nbind = ipc://{scratch}/s\n[sink k]\nbind = ipc://{scratch}/k\n"
    checked = run("check", "-c", "/dev/stdin", input=text)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert run("check", "-c", "/dev/stdin", input=text + "x = 1\n").returncode == 78


def test_an_endpoint_that_is_taken_refuses_the_whole_reload(flow, scratch):
    import socket
    with socket.socket() as taken:
        port = free_port()
        taken.bind(("127.0.0.1", port))
        taken.listen()
        flow.write(flow.text(route="inbound_poll_rate = 7", more=f"""
[sink good]
bind = ipc://{scratch}/good.sock
[sink bad]
bind = tcp://127.0.0.1:{port}
"""))
        answer = refused(flow)
    line = 1 + open(flow.file, encoding="utf-8").read().split("\n").index(
        f"bind = tcp://127.0.0.1:{port}")
    assert f"{flow.file}:{line}: " in answer and f"tcp://127.0.0.1:{port}" in answer
    assert names(flow, "sinks") == ["edge"]
    assert not os.path.exists(f"{scratch}/good.sock")
    assert flow.route()["tuning"]["inbound_poll_rate"] == 1000
    flow.writer.send(1000)
    flow.reader.expect(1000)
    done(flow)  # the port is free now


def test_hup_reloads_and_both_ways_are_logged(flow, scratch):
    flow.write(flow.text(route="coalesce_delay = 1ms"))
    flow.send_signal(signal.SIGHUP)
    flow.wait_log(r"info reload: changed .*coalesce_delay: 0 -> 1ms")
    assert flow.route()["tuning"]["coalesce_delay_us"] == 1000
    flow.write("[route market")
    flow.send_signal(signal.SIGHUP)
    flow.wait_log(r"error reload refused, the settings in force stay: .*:1: ")
    flow.assert_alive()
    assert flow.ctl("reload").returncode != 0
    flow.write(flow.text())
    answer = flow.ctl("reload")
    assert answer.returncode == 0 and "coalesce_delay" in answer.stdout
    status = json.loads(flow.ctl("status", "--json").stdout)
    assert status["reload"]["failures"] == 2 and status["reload"]["last_success_time_s"] > 0


def test_a_changed_sink_is_made_again_and_its_readers_come_back(flow):
    flow.write(flow.text(sink="send_hwm = 77"))
    assert "sink.edge.send_hwm: 10000 -> 77" in done(flow)
    flow.attached(edge=1)
    flow.writer.send(500)
    eventually(lambda: flow.reader.total() == 500)


def test_values_that_set_gave_are_discarded_and_named(flow):
    assert flow.request("SET coalesce_delay 2ms")[0].startswith(b"OK")
    answer = done(flow)
    assert "discarded" in answer and "route.market.coalesce_delay" in answer
    assert flow.route()["tuning"]["coalesce_delay_us"] == 0


def test_attached_endpoints_stay(flow, scratch):
    assert flow.request(f"ATTACH market ipc://{scratch}/late.sock")[0].startswith(b"OK")
    flow.write(flow.text(more=f"[sink extra]\nbind = ipc://{scratch}/extra.sock\n"))
    done(flow)
    assert names(flow, "sources") == ["feed", "attached"]


def test_while_paused_it_stays_paused(flow, scratch):
    flow.request("PAUSE")
    flow.writer.send(100)
    flow.write(flow.text(route="linger = 700ms",
                         more=f"[sink extra]\nbind = ipc://{scratch}/extra.sock\n"))
    done(flow)
    assert flow.state() == "paused" and names(flow, "sinks") == ["edge", "extra"]
    assert flow.reader.total() == 0
    flow.request("RESUME")
    flow.reader.expect(100)


def test_while_draining_it_is_refused(flow, scratch):
    flow.write(flow.text(route="linger = 10s"))
    done(flow)
    flow.reader.freeze()
    flow.writer.send(5_000, size=10_000, wait=False)
    eventually(lambda: flow.statistics()[0] > 100)
    flow.request("DRAIN")
    eventually(lambda: flow.state() == "draining")
    flow.write(flow.text(route="linger = 10s",
                         more=f"[sink extra]\nbind = ipc://{scratch}/extra.sock\n"))
    assert "draining" in refused(flow)
    assert names(flow, "sinks") == ["edge"]
    flow.reader.thaw()
    assert flow.wait() == 0


def test_routes_and_generators_come_and_go(rewritten, scratch, subscriber):
    def route(name, rate):
        return (f"[route {name}]\n[generator {name}g]\nroute = {name}\nrate = {rate}\n"
                f"[sink {name}k]\nroute = {name}\nbind = ipc://{scratch}/{name}.sock\n")
    sidecar = rewritten(route("one", "1k"))
    reader = subscriber(f"ipc://{scratch}/one.sock")
    eventually(lambda: reader.total() > 0)
    sidecar.write(route("one", "1k") + route("two", "2k"))
    assert "route.two is new" in done(sidecar)
    second = subscriber(f"ipc://{scratch}/two.sock")
    eventually(lambda: second.total() > 0)
    sidecar.write(route("two", "3k"))
    answer = done(sidecar)
    assert "route.one is gone" in answer and "generator.twog.rate: 2000 -> 3000" in answer
    assert [r["name"] for r in sidecar.status()["routes"]] == ["two"]
    eventually(lambda: not os.path.exists(f"{scratch}/one.sock"))
    sidecar.wait_log(r"\[one\] stopped \(drained\): ")
    before = second.total()
    eventually(lambda: second.total() > before)
    threads = sidecar.threads()
    for _ in range(5):
        sidecar.write(route("one", "1k") + route("two", "3k"))
        done(sidecar)
        sidecar.write(route("two", "3k"))
        done(sidecar)
        eventually(lambda: not os.path.exists(f"{scratch}/one.sock"))  # it drains first
    eventually(lambda: done(sidecar) and sidecar.threads() <= threads)
    assert sidecar.stop() == 0


def test_many_reloads_leave_nothing_behind(flow, scratch):
    def round_trip():
        flow.write(flow.text(sink="send_hwm = 77", more=f"[sink extra]\nbind = ipc://{scratch}/e\n"
                             f"[source more]\nconnect = ipc://{scratch}/nobody\n"))
        done(flow)
        flow.write(flow.text())
        done(flow)
        flow.attached(edge=1)
    round_trip()
    descriptors = flow.descriptors()
    for _ in range(10):
        round_trip()
    eventually(lambda: flow.descriptors() <= descriptors)


@pytest.fixture
def pair(rewritten, scratch, engine, subscriber, publisher):
    """Two routes. `pair.text(left, right)`: the endpoints of their sinks; `pair.more` moves."""
    more = f"tcp://127.0.0.1:{free_port()}"

    def text(left, right, names=("left", "right")):
        parts = []
        for name, binds in zip(names, (left, right)):
            lines = "".join(f"bind = {bind}\n" for bind in binds)
            parts.append(f"[route {name}]\n[source {name}s]\nroute = {name}\n"
                         f"bind = ipc://{scratch}/{name}s.sock\n[sink {name}k]\nroute = {name}\n"
                         f"engine = {engine}\non_full = block\n{lines}")
        return "\n".join(parts)
    own = [f"ipc://{scratch}/left.sock", f"ipc://{scratch}/right.sock"]
    started = rewritten(text([own[0], more], [own[1]]))
    started.text, started.own, started.more = text, own, more
    started.reader = subscriber(own[1])
    eventually(lambda: started.status()["routes"][1]["sinks"][0]["peers"] == 1)
    started.writer = publisher(f"ipc://{scratch}/rights.sock")
    started.writer.subscribed(b"")
    return started


def endpoints(sidecar):
    return {r["name"]: r["sinks"][0]["endpoints"] for r in sidecar.status()["routes"]}


def test_an_endpoint_moves_to_another_route_in_one_reload(pair, subscriber):
    """In both directions of the file, while the one that takes it and gives it back flows."""
    pair.writer.send(1 << 40, wait=False)
    for _ in range(3):
        pair.write(pair.text([pair.own[0]], [pair.own[1], pair.more]))
        answer = done(pair)
        assert "sink.leftk.bind: " in answer and "sink.rightk.bind: " in answer
        assert endpoints(pair) == {"left": [pair.own[0]], "right": [pair.own[1], pair.more]}
        late = subscriber(pair.more)
        eventually(lambda: late.total() > 0)
        pair.write(pair.text([pair.own[0], pair.more], [pair.own[1]]))
        done(pair)
        assert endpoints(pair) == {"left": [pair.own[0], pair.more], "right": [pair.own[1]]}
        late.kill()
    pair.writer.tell("stop")
    pair.reader.expect(pair.writer.wait("sent")["count"], timeout=patience(60))
    assert pair.reader.report()["sources"]["0"]["gaps"] == 0


def test_a_route_is_renamed_in_one_reload(pair, subscriber, publisher, scratch):
    pair.writer.send(1000)
    pair.write(pair.text([pair.own[0], pair.more], [pair.own[1]], ("west", "east")))
    answer = done(pair)
    for part in ("route.west is new", "route.left is gone", "route.east is new"):
        assert part in answer
    assert endpoints(pair) == {"west": [pair.own[0], pair.more], "east": [pair.own[1]]}
    pair.wait_log(r"\[right\] stopped \(drained\): 1000 messages")
    pair.reader.expect(1000)
    writer = publisher(f"ipc://{scratch}/easts.sock")
    writer.subscribed(b"")
    eventually(lambda: pair.route("east")["sinks"][0]["peers"] == 1)  # it has come back
    writer.send(500)
    pair.reader.expect(1500)
    assert pair.stop() == 0


def test_a_move_that_fails_goes_back(pair, subscriber):
    """A renamed route and a moved endpoint come back when another part of the file fails."""
    import socket
    pair.writer.send(1 << 40, wait=False)
    with socket.socket() as taken:
        port = free_port()
        taken.bind(("127.0.0.1", port))
        taken.listen()
        bad = f"tcp://127.0.0.1:{port}"
        pair.write(pair.text([pair.own[0]], [pair.own[1], pair.more, bad]))
        assert bad in refused(pair)
        assert endpoints(pair) == {"left": [pair.own[0], pair.more], "right": [pair.own[1]]}
        pair.write(pair.text([pair.own[0], pair.more, bad], [pair.own[1]], ("west", "right")))
        assert bad in refused(pair)
        assert endpoints(pair) == {"left": [pair.own[0], pair.more], "right": [pair.own[1]]}
    late = subscriber(pair.more)
    eventually(lambda: pair.route("left")["sinks"][0]["peers"] == 1)
    late.kill()
    pair.writer.tell("stop")
    pair.reader.expect(pair.writer.wait("sent")["count"], timeout=patience(60))
    assert pair.reader.report()["sources"]["0"]["gaps"] == 0
    assert pair.stop() == 0


def test_an_exchange_is_refused_and_changes_nothing(pair):
    pair.write(pair.text([pair.own[1]], [pair.own[0]]))
    answer = refused(pair)
    assert pair.own[0] in answer or pair.own[1] in answer
    assert endpoints(pair) == {"left": [pair.own[0], pair.more], "right": [pair.own[1]]}
    pair.writer.send(10)
    pair.reader.expect(10)
