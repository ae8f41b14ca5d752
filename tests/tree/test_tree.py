# SPDX-License-Identifier: Apache-2.0
"""One root, four leaves, 200 subscribers. Every leaf is in a network namespace of its own, joined to
the root's by one veth link; its subscribers are in its namespace."""
import contextlib
import os
import pathlib
import signal
import subprocess
import time

import pytest

from support.peers import Peer, Publisher
from support.sidecar import Sidecar
from support.wait import FACTOR, eventually, patience

HERE = pathlib.Path(__file__).resolve().parent
LEAVES, CROWD, SOURCES = 4, 50, 2
RATE = 100  # messages a second of each source
TOPIC, OTHERS = "data.", ["quiet.a", "quiet.b", "quiet.c", "quiet.d", "quiet.e"]
CUT = 5  # seconds


def ip(*words):
    subprocess.run(["ip", *words], check=True, timeout=30)


class Crowd(Peer):
    """The subscribers of one leaf."""

    def __init__(self, wrapper):
        env = {**os.environ, "PYTHONPATH": str(HERE.parent / "system")}
        super().__init__(str(HERE / "crowd.py"), "tcp://127.0.0.1:5556", CROWD, TOPIC, *OTHERS,
                         wrapper=wrapper, env=env)

    def report(self):
        self.tell("report")
        return self.wait("report")["subscribers"]

    def least(self):
        """The last number that every subscriber has of every source; -1 before."""
        return min(min((s.get(str(k), {"last": -1})["last"] for k in range(SOURCES)))
                   for s in self.report())

    def has(self, numbers):
        """Whether every subscriber has had so many messages of each source."""
        return all(s.get(str(k), {"last": -1})["last"] == n - 1
                   for s in self.report() for k, n in enumerate(numbers))

    def sums(self, *names):
        """The sum over subscribers and sources of each of these."""
        report = self.report()
        return [sum(row[name] for s in report for row in s.values()) for name in names]


class Tree:
    def __init__(self, scratch, stack, sink):
        self.scratch, self.stack = scratch, stack
        self.root = self.sidecar("root", f"""
[source feed]
bind = tcp://127.0.0.1:5555
[sink leaves]
bind = tcp://*:5556
heartbeat_timeout = {int(60 * FACTOR)}s
{sink}
""")
        self.wrappers = []
        for index in range(LEAVES):
            self.link(index)
            self.wrappers.append(["nsenter", f"--net=/run/netns/leaf{index}"])
        self.leaves = [self.leaf(index) for index in range(LEAVES)]
        self.crowds = [Crowd(wrapper) for wrapper in self.wrappers]
        self.publishers = [Publisher("tcp://127.0.0.1:5555", id=k, verbose=True)
                           for k in range(SOURCES)]
        for peer in [*self.crowds, *self.publishers]:
            stack.callback(peer.kill)
        for leaf in self.leaves:
            leaf.attached(subscribers=CROWD)
        eventually(lambda: self.leaves_at_root() == LEAVES, what="four leaves at the root")
        for publisher in self.publishers:
            for topic in [TOPIC, *OTHERS]:
                publisher.subscribed(topic.encode())

    def link(self, index):
        name = f"leaf{index}"
        ip("netns", "add", name)
        self.stack.callback(ip, "netns", "del", name)
        ip("link", "add", name, "type", "veth", "peer", "name", "up0", "netns", name)
        self.stack.callback(ip, "link", "del", name)  # the namespace goes later, in its own time
        ip("address", "add", f"198.18.{index}.1/30", "dev", name)
        ip("-n", name, "address", "add", f"198.18.{index}.2/30", "dev", "up0")
        ip("link", "set", name, "up")
        for device in ("lo", "up0"):
            ip("-n", name, "link", "set", device, "up")

    def sidecar(self, name, ini, wrapper=()):
        linger = f"[route tree]\nlinger = {int(2000 * FACTOR)}ms\n"
        started = Sidecar(self.scratch, linger + ini, name=name, wrapper=wrapper)
        self.stack.callback(started.cleanup)
        self.stack.callback(lambda: print(f"--- log of {name}:\n{started.err.text()}"))
        return started

    def leaf(self, index):
        return self.sidecar(f"leaf{index}", f"""
[source root]
connect = tcp://198.18.{index}.1:5556
[sink subscribers]
bind = tcp://127.0.0.1:5556
""", self.wrappers[index])

    def leaves_at_root(self):
        return self.root.sink("leaves")["peers"]

    def dropped_at_root(self):
        """For each leaf; its connection has lasted since the beginning."""
        peers = self.root.sink("leaves")["peer_table"]
        assert len(peers) == LEAVES, peers
        by_leaf = {int(peer["address"].split(".")[2]): peer["dropped_messages"] for peer in peers}
        return [by_leaf[index] for index in range(LEAVES)]

    def publish(self):
        for publisher in self.publishers:
            publisher.send(1 << 40, wait=False, topic=TOPIC, size=1000, rate=RATE)

    def finish(self):
        """Ends the load; then one more message at a time, until one has reached everybody."""
        for publisher in self.publishers:
            publisher.tell("stop")
            publisher.wait("sent")

        def last_is_everywhere():
            numbers = [p.send(1, topic=TOPIC, size=1000)["number"] for p in self.publishers]
            end = time.monotonic() + 1
            while time.monotonic() < end:
                if all(crowd.has(numbers) for crowd in self.crowds):
                    return True
            return False

        eventually(last_is_everywhere, patience(60), "the last messages")

    def pass_by(self, crowds, count):
        """Waits until each of these subscribers has got further by so many messages."""
        goals = [(crowd, crowd.least() + count) for crowd in crowds]
        for crowd, goal in goals:
            eventually(lambda c=crowd, g=goal: c.least() >= g, patience(60),
                       f"{count} more messages at {crowd.process.args}")

    def others(self, index):
        return self.crowds[:index] + self.crowds[index + 1:]


@contextlib.contextmanager
def cut(index):
    ip("link", "set", f"leaf{index}", "down")
    try:
        yield
    finally:
        ip("link", "set", f"leaf{index}", "up")


@pytest.fixture
def tree(scratch):
    with contextlib.ExitStack() as stack:
        yield lambda sink="": Tree(scratch, stack, sink)


def assert_whole(crowds):
    for crowd in crowds:
        assert crowd.sums("gaps", "late") == [0, 0], crowd.report()


def test_leaf_killed_and_link_cut_within_the_marks(tree):
    made = tree()
    for publisher in made.publishers:  # 200 subscribers, six topics, each asked for once
        assert publisher.count("subscribed") == 1 + len(OTHERS)
    asked = made.root.sink("leaves")["subscriptions"]
    made.publish()
    made.pass_by(made.crowds, RATE)
    assert_whole(made.crowds)

    # A leaf dies and comes back: its own subscribers miss what passed meanwhile, nobody else does.
    killed = 1
    made.leaves[killed].process.send_signal(signal.SIGKILL)
    made.leaves[killed].wait()
    eventually(lambda: made.leaves_at_root() == LEAVES - 1, what="the root forgets a dead leaf")
    made.pass_by(made.others(killed), RATE)
    made.leaves[killed] = made.leaf(killed)
    made.leaves[killed].attached(subscribers=CROWD)
    eventually(lambda: made.leaves_at_root() == LEAVES, what="the leaf is back")
    made.pass_by(made.crowds, RATE)
    assert made.root.sink("leaves")["subscriptions"] == asked
    assert_whole(made.others(killed))
    gaps, missing, late = made.crowds[killed].sums("gaps", "missing", "late")
    assert late == 0 and 0 < gaps <= CROWD * SOURCES and missing > 0
    for publisher in made.publishers:  # its topics never left the union
        assert publisher.count("unsubscribed") == 0

    # A link is cut for less than the root's marks hold: late, but nothing is lost.
    with cut(2):
        made.pass_by(made.others(2), CUT * RATE)
        furthest = min(crowd.least() for crowd in made.others(2))
        assert made.crowds[2].least() < furthest, "the link was not cut"
    made.pass_by(made.crowds, RATE)
    made.finish()
    assert_whole(made.others(killed))
    assert made.root.sink("leaves")["dropped_messages"] == 0
    for sidecar in [*made.leaves, made.root]:
        assert sidecar.stop() == 0


def test_gaps_are_where_the_root_says_that_it_dropped(tree):
    made = tree("engine = native\non_full = drop\nsend_hwm = 50\nsndbuf = 16KiB")
    made.publish()
    made.pass_by(made.crowds, RATE)
    with cut(0):
        made.pass_by(made.others(0), CUT * RATE)
        eventually(lambda: made.dropped_at_root()[0] > 0, patience(60), "a drop")
    made.pass_by(made.crowds, RATE)
    made.finish()
    # A busy machine may make other leaves slow too: what is missing behind each of them is what the
    # root dropped for it, no more and no less.
    for leaf, crowd, dropped in zip(made.leaves, made.crowds, made.dropped_at_root()):
        assert leaf.sink("subscribers")["dropped_messages"] == 0
        for subscriber in crowd.report():
            assert sum(row["missing"] for row in subscriber.values()) == dropped, subscriber
            assert all(row["late"] == 0 for row in subscriber.values())
