# SPDX-License-Identifier: Apache-2.0
"""Messages of real publishers come out of the sinks: all of them, whole, in order."""
import os

import pytest

from support.ports import free_port
from support.wait import eventually, patience

COUNT = int(os.environ.get("SLUICE_TEST_MESSAGES", 250_000))


def in_order(report, sources, count):
    assert report["bad"] == 0
    assert report["sources"] == {
        str(i): {"count": count, "first": 0, "last": count - 1, "gaps": 0, "backward": 0}
        for i in range(sources)}


def test_four_publishers_block_policy_two_sinks_nothing_lost(basic, publisher, subscriber):
    sidecar = basic(policy="block")
    readers = [subscriber(sidecar.tcp), subscriber(sidecar.ipc)]
    sidecar.attached(edge=1, local=1)
    writers = [publisher(sidecar.source, id=i) for i in range(4)]
    for writer in writers:
        writer.subscribed(b"")
    for writer in writers:
        writer.send(COUNT, wait=False)
    for writer in writers:
        writer.wait("sent", timeout=patience(120))
    for reader in readers:
        reader.expect(4 * COUNT, timeout=patience(120))
        in_order(reader.report(), 4, COUNT)
    received, _, _, _, _, _, sent, _ = sidecar.statistics()
    assert (received, sent) == (4 * COUNT, 4 * COUNT)


def test_the_engine_is_the_one_asked_for(basic, engine):
    assert {s["engine"] for s in basic().route()["sinks"]} == {engine}


def test_publishers_on_tcp_and_a_source_that_connects(sidecar, scratch, port, publisher, subscriber,
                                                      engine):
    outward = free_port()
    writers = [publisher(bind=f"tcp://127.0.0.1:{outward}", id=0)]
    started = sidecar(f"""
[source mixed]
bind = tcp://127.0.0.1:{port}
connect = tcp://127.0.0.1:{outward}
[sink edge]
engine = {engine}
bind = ipc://{scratch}/out.sock
on_full = block
""")
    reader = subscriber(f"ipc://{scratch}/out.sock")
    writers.append(publisher(f"tcp://127.0.0.1:{port}", id=1))
    started.attached(edge=1)
    for writer in writers:
        writer.subscribed(b"")
    for writer in writers:
        writer.send(1000)
    reader.expect(2000)
    in_order(reader.report(), 2, 1000)


def test_C_08_two_routes_in_one_process(sidecar, scratch, publisher, subscriber, engine):
    started = sidecar("\n".join(f"""
[route {name}]
[source {name}-in]
route = {name}
bind = ipc://{scratch}/{name}-in.sock
[sink {name}-out]
route = {name}
engine = {engine}
bind = ipc://{scratch}/{name}-out.sock
on_full = block
""" for name in ("one", "two")))
    assert [r["name"] for r in started.status()["routes"]] == ["one", "two"]
    for number, name in enumerate(("one", "two")):
        writer = publisher(f"ipc://{scratch}/{name}-in.sock", id=number)
        reader = subscriber(f"ipc://{scratch}/{name}-out.sock")
        writer.subscribed(b"")
        writer.send(100)
        reader.expect(100)
        assert list(reader.report()["sources"]) == [str(number)]
    assert started.statistics()[0] == 200, "several routes: the sum"
    assert [r["frontend"]["received_messages"] for r in started.status()["routes"]] == [100, 100]


@pytest.mark.parametrize("parts", [1, 2, 3, 17, 1000])
def test_M_01_all_frames_arrive(basic, publisher, subscriber, parts):
    sidecar = basic()
    reader = subscriber(sidecar.tcp).listen()
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    frames = [(b"" if i % 3 == 1 else b"frame %d" % i) for i in range(parts)]
    writer.raw(*frames)
    assert reader.messages(1) == [frames]


def test_S_01_a_late_source_learns_every_subscription(basic, publisher, subscriber):
    sidecar = basic()
    reader = subscriber(sidecar.tcp, topics=[b"a", b"b"]).listen()
    sidecar.attached(edge=1)
    writer = publisher(sidecar.source)
    for topic in (b"a", b"b"):
        writer.subscribed(topic)
    for data in (b"a1", b"b1", b"c1", b"a2"):
        writer.raw(data)
    assert reader.messages(3) == [[b"a1"], [b"b1"], [b"a2"]]


def test_S_13_payloads_that_look_like_subscriptions(basic, publisher, subscriber):
    sidecar = basic()
    reader = subscriber(sidecar.tcp).listen()
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    sent = [bytes([first]) + rest for first in (0, 1, 2, 255) for rest in (b"", b"x", b"\0\1")]
    for data in sent:
        writer.raw(data)
    assert reader.messages(len(sent)) == [[data] for data in sent]


def test_S_12_binary_topics(basic, publisher, subscriber):
    sidecar = basic()
    topics = [b"\0", b"\0\1", b"\1", b"\xff\0\xff"]
    reader = subscriber(sidecar.ipc, topics=topics).listen()
    writer = publisher(sidecar.source)
    for topic in topics:
        writer.subscribed(topic)
    for topic in topics:
        writer.raw(topic + b"!")
    assert reader.messages(4) == [[t + b"!"] for t in topics]
    for topic in reversed(topics):  # each cancelled alone: what is shorter stays
        reader.unsubscribe(topic)
        writer.wait("unsubscribed", topic=topic.hex())
    assert sidecar.sink("local")["subscriptions"] == 0


def test_S_14_static_subscription_and_its_absence(basic, publisher):
    sidecar = basic(route='subscribe = ""')
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(100)
    eventually(lambda: sidecar.statistics()[0] == 100)


def test_S_14_no_subscriber_nothing_enters(basic, publisher):
    sidecar = basic()
    writer = publisher(sidecar.source)
    writer.send(1000)
    assert sidecar.sink("edge")["subscriptions"] == 0
    assert sidecar.statistics()[0] == 0


def test_P_11_a_flood_does_not_starve_a_trickle(basic, publisher, subscriber):
    sidecar = basic(policy="block")
    reader = subscriber(sidecar.tcp)
    flood, trickle = publisher(sidecar.source, id=0), publisher(sidecar.source, id=1)
    for writer in (flood, trickle):
        writer.subscribed(b"")
    flood.send(10_000_000, wait=False)
    sent = trickle.send(40, rate=20, timeout=patience(20))
    assert sent["count"] == 40 and sent["full"] <= 5
    report = eventually(lambda: (r := reader.report())["sources"].get("1", {}).get("count") == 40
                        and r, timeout=patience(5))
    assert report["sources"]["1"]["gaps"] == 0
    # Behind the flood in the queues of one link, and no longer than that.
    assert report["median_ns"]["1"] < 2 * report["median_ns"]["0"] + patience(0.5) * 1e9
