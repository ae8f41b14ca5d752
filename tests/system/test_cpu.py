# SPDX-License-Identifier: Apache-2.0
"""Idle, paused and blocked cost nothing; flow resumes by an event. CPU is the thread's own clock."""
import time

import pytest

from support.wait import eventually, patience, stays


def forwarding_cpu_share(sidecar, seconds):
    """Part of a core that the forwarding thread used, by STATUS, over this time."""
    def sample():
        time.sleep(0.15)  # a status is at most 100 ms old: let the last one age
        return sidecar.route()["loop"]["cpu_ns"], time.monotonic_ns()
    cpu, at = sample()
    stays(lambda: sidecar.process.poll() is None, seconds)
    cpu_later, at_later = sample()
    return (cpu_later - cpu) / (at_later - at)


def settled(sidecar):
    """Waits until the counters stand still."""
    last = [None]

    def same():
        now = sidecar.statistics()
        still, last[0] = now == last[0], now
        time.sleep(0.1)
        return still
    eventually(same)


def test_idle(basic, subscriber):
    sidecar = basic()
    subscriber(sidecar.tcp)
    sidecar.attached(edge=1)
    assert forwarding_cpu_share(sidecar, 3) < 0.01


def test_P_05_idle_again_after_a_burst(basic, publisher, subscriber):
    sidecar = basic()
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"")
    writer.send(50_000, timeout=patience(30))
    reader.expect(50_000, timeout=patience(30))
    settled(sidecar)
    assert forwarding_cpu_share(sidecar, 3) < 0.01
    before = sidecar.cpu_ns(), sidecar.wakes(), time.monotonic_ns()
    stays(lambda: sidecar.process.poll() is None, 3)
    after = sidecar.cpu_ns(), sidecar.wakes(), time.monotonic_ns()
    seconds = (after[2] - before[2]) / 1e9
    assert (after[0] - before[0]) / 1e9 / seconds < 0.02, "the whole process"
    assert (after[1] - before[1]) / seconds < 20, "all threads"


@pytest.mark.parametrize("policy", ["block", "drop"])
def test_paused_with_data_waiting(basic, publisher, subscriber, policy):
    sidecar = basic(policy=policy)
    subscriber(sidecar.tcp)
    writers = [publisher(sidecar.source, id=i) for i in range(2)]
    for writer in writers:
        writer.subscribed(b"")
    sidecar.request("PAUSE")
    for writer in writers:
        writer.send(1 << 40, rate=2000, wait=False)
    assert forwarding_cpu_share(sidecar, 3) < 0.01


def test_P_04_publishing_with_nobody_attached(basic, publisher):
    sidecar = basic()
    writer = publisher(sidecar.source)
    writer.send(1 << 40, rate=20_000, wait=False)
    assert forwarding_cpu_share(sidecar, 2) < 0.03
    assert sidecar.statistics()[0] == 0


def test_P_12_a_stuck_subscriber_neither_spins_nor_sleeps_through_the_room(
        basic, publisher, subscriber):
    sidecar = basic(policy="block", sink="send_hwm = 100")
    reader = subscriber(sidecar.tcp, hwm=10, rcvbuf=4096)
    sidecar.attached(edge=1)
    writers = [publisher(sidecar.source, id=i) for i in range(2)]
    for writer in writers:
        writer.subscribed(b"")
    reader.tell("hold")
    reader.wait("holding")
    for writer in writers:
        writer.send(1 << 40, size=1000, wait=False)
    settled(sidecar)
    assert sidecar.statistics()[0] > 0
    assert forwarding_cpu_share(sidecar, 5) < 0.05
    held = sidecar.statistics()[6]
    began = time.monotonic()
    reader.tell("read")
    eventually(lambda: sidecar.statistics()[6] > held + 1000)
    assert time.monotonic() - began < patience(2)
    for writer in writers:
        writer.tell("stop")
    sent = sum(writer.wait("sent")["count"] for writer in writers)
    reader.expect(sent, timeout=patience(60))
    assert all(s["gaps"] == s["backward"] == 0 for s in reader.report()["sources"].values())


def test_F_05_a_killed_subscriber_does_not_hold_the_others(basic, publisher, subscriber):
    sidecar = basic(policy="block", sink="send_hwm = 100")
    victim = subscriber(sidecar.tcp, hwm=10, rcvbuf=4096)
    other = subscriber(sidecar.tcp)
    sidecar.attached(edge=2)
    writer = publisher(sidecar.source)
    writer.subscribed(b"")
    victim.freeze()
    writer.send(1 << 40, size=1000, wait=False)
    settled(sidecar)
    before = other.total()
    victim.kill()
    eventually(lambda: other.total() > before + 1000, timeout=patience(3))
