# SPDX-License-Identifier: Apache-2.0
"""Field reports STAT: what is counted, in which shape."""
import os

from support.wait import eventually, patience

SMALL = "SLUICE_TEST_MESSAGES" in os.environ
STATUS_KEYS = {"version", "libzmq", "pid", "uptime_s", "routes", "syscalls"}
ROUTE_KEYS = {"name", "state", "reason", "tuning", "frontend", "backend", "sources", "sinks", "loop"}
SIDE_KEYS = {"received_messages", "received_bytes", "sent_messages", "sent_bytes"}
SINK_KEYS = {"name", "engine", "endpoints", "on_full", "peers", "subscriptions", "dropped_messages",
             "delivered_messages"}
LOOP_KEYS = {"wakes", "bursts", "holds", "holds_cut", "looks", "worst_turn_us", "cpu_ns",
             "voluntary_switches"}


def test_T_01_eight_numbers(basic, publisher, subscriber):
    sidecar = basic()
    assert sidecar.statistics() == [0] * 8
    reader = subscriber(sidecar.tcp)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    for _ in range(100):
        writer.raw(b"0123456789")
    reader.expect(100)
    numbers = eventually(lambda: (s := sidecar.statistics())[6] == 100 and s)
    assert numbers[0] == 100 and numbers[1] == 1000 and numbers[6] == 100 and numbers[7] == 1000


def test_T_02_a_subscription_counts_upstream(basic, subscriber, publisher):
    sidecar = basic()
    writer = publisher(sidecar.source)
    subscriber(sidecar.tcp, topics=[b"a"])
    writer.subscribed(b"a")
    numbers = eventually(lambda: (s := sidecar.statistics())[3] and s)  # counted last
    assert numbers == [0, 0, 1, 2, 1, 2, 0, 0]


def test_T_04_what_nobody_wants_is_not_delivered(basic, publisher, subscriber, engine):
    sidecar = basic(route='subscribe = "x"')
    writer = publisher(sidecar.source)
    writer.subscribed(b"x")
    for _ in range(10):
        writer.raw(b"x1")
    eventually(lambda: sidecar.statistics()[0] == 10)
    delivered = sidecar.sink("edge")["delivered_messages"]
    assert delivered == (None if engine == "zmq" else 0)
    assert sidecar.sink("edge")["dropped_messages"] == (None if engine == "zmq" else 0)


def test_T_05_peers_and_subscriptions(basic, subscriber):
    sidecar = basic()
    readers = [subscriber(sidecar.tcp, topics=[b"t%d" % i]) for i in range(3)]
    eventually(lambda: (s := sidecar.sink("edge"))["peers"] == 3 and s["subscriptions"] == 3)
    readers[0].quit()
    eventually(lambda: (s := sidecar.sink("edge"))["peers"] == 2 and s["subscriptions"] == 2)
    readers[1].kill()
    eventually(lambda: (s := sidecar.sink("edge"))["peers"] == 1 and s["subscriptions"] == 1)


def test_T_07_counters_survive_a_pause_and_pass_32_bits(basic, publisher, subscriber):
    sidecar = basic(policy="block", source="recv_hwm = 50", sink="send_hwm = 50")
    reader = subscriber(sidecar.ipc, hwm=50)
    writer = publisher(sidecar.source, hwm=50)
    writer.subscribed(b"")
    writer.send(10)
    reader.expect(10)
    before = sidecar.statistics()
    for word in ("PAUSE", "RESUME"):
        sidecar.request(word)
        assert all(a >= b for a, b in zip(sidecar.statistics(), before))
    size, count = 256 << 10, 500 if SMALL else 16_500  # 4.03 GiB
    writer.send(count, size=size, timeout=patience(120))
    reader.expect(10 + count, timeout=patience(120))
    numbers = eventually(lambda: (s := sidecar.statistics())[6] == 10 + count and s)
    assert numbers[1] == before[1] + count * size
    assert SMALL or numbers[1] > 1 << 32


def test_status_keys_are_the_contract(basic, subscriber):
    sidecar = basic()
    subscriber(sidecar.tcp)
    sidecar.attached(edge=1)
    status = sidecar.status()
    assert STATUS_KEYS <= set(status)
    (route,) = status["routes"]
    assert ROUTE_KEYS <= set(route)
    assert set(route["frontend"]) == set(route["backend"]) == SIDE_KEYS
    assert {"inbound_poll_rate", "max_command_delay_us", "coalesce_delay_us", "mode"} <= \
        set(route["tuning"])
    assert LOOP_KEYS <= set(route["loop"])
    for sink in route["sinks"]:
        assert SINK_KEYS <= set(sink)
    for source in route["sources"]:
        assert {"name", "endpoint", "mode", "state"} <= set(source)
    assert status["pid"] == sidecar.pid and status["version"] and "4.3" in status["libzmq"]


def test_T_06_system_calls_by_kind(basic, publisher, subscriber):
    sidecar = basic()
    reader = subscriber(sidecar.tcp)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    before = sidecar.status()["syscalls"]
    writer.send(1000)
    reader.expect(1000)
    after = eventually(lambda: (s := sidecar.status())["routes"][0]["backend"]["sent_messages"] ==
                       1000 and s)["syscalls"]
    assert {"forwarding", "io", "other"} <= set(after)
    total = lambda table: sum(table.values())
    assert total(after["forwarding"]) > total(before["forwarding"])
    assert total(after["io"]) > total(before["io"])
    stats = sidecar.ctl("stats").stdout
    assert "poll" in stats


def test_T_03_a_poller_killed_in_the_middle_leaves_a_clean_socket(basic):
    sidecar = basic()
    for _ in range(50):
        with sidecar.requester() as req:
            req.send(b"STATUS")  # closed before the answer comes
    assert sidecar.request("PING")[0].startswith(b"OK")
    assert sidecar.statistics() == [0] * 8
