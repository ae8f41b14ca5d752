#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the sidecar for a long time among peers that misbehave, and checks what must hold.

    SLUICE_BINARY=build/dev/proxy/app/sluice tests/soak/soak.py [--for 3600] [--seed 1]

Two routes, each with a sink of either engine: "keep" (policy block) and "lossy" (policy drop). Their
subscribers stay, come, stall (SIGSTOP) and die (SIGKILL), while a controller steers at random. At
the end of each epoch the publishers stop and everything is compared. Figures on stdout, as JSON.
"""
import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
from support import peers  # noqa: E402
from support.sidecar import Sidecar  # noqa: E402
from support.wait import FACTOR, eventually, patience  # noqa: E402

PEER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer.py")
ENGINES = ("zmq", "native")


class Peer(peers.Peer):
    def __init__(self, *args):
        super().__init__(PEER, *args)
        self.stalled_until = 0

    def report(self):
        self.tell("report")
        return self.wait("report")

    def forget(self):
        """The lines read so far; an hour makes many."""
        self.out.lines.clear()
        self.position.clear()


class Soak:
    def __init__(self, options, scratch):
        self.options = options
        self.random = random.Random(options.seed)
        self.scratch = scratch
        self.counts = dict.fromkeys(("commands", "refused", "came", "stalls", "kills", "epochs",
                                     "attached"), 0)
        self.slowest = 0.0
        self.offset = 0  # drops of subscribers that have gone
        self.sidecar = Sidecar(scratch, self.configuration())
        self.control = self.sidecar.requester()
        rate = options.rate / FACTOR
        self.publishers = {}
        for route in ("keep", "lossy"):
            for _ in range(2):
                number = len(self.publishers)
                self.publishers[number] = (route, Peer(
                    "publish", "--id", number, "--rate", rate,
                    "--connect", f"ipc://{scratch}/{route}-in.sock"))
        self.visitor = Peer("publish", "--id", 100, "--rate", rate / 5, "--bind",
                            f"ipc://{scratch}/visitor.sock")
        self.visitor.tell("run")
        self.attached = False
        self.stay = [self.subscriber(sink) for sink in self.sinks() for _ in range(2)]
        self.guests = []

    def sinks(self):
        return [f"{route}-{engine}" for route in ("keep", "lossy") for engine in ENGINES]

    def configuration(self):
        text = ""
        for route, policy in (("keep", "block"), ("lossy", "drop")):
            text += f"[route {route}]\n[source {route}-in]\nroute = {route}\n" \
                    f"bind = ipc://{self.scratch}/{route}-in.sock\n"
            for engine in ENGINES:
                bind = f"tcp://127.0.0.1:*\nbind = ipc://{self.scratch}/{route}-{engine}.sock"
                text += f"[sink {route}-{engine}]\nroute = {route}\nengine = {engine}\n" \
                        f"on_full = {policy}\nsend_hwm = 300\nsndbuf = 64k\nbind = {bind}\n"
        return text

    def subscriber(self, sink):
        route = sink.split("-", maxsplit=1)[0]
        endpoints = self.sidecar_sink(route, sink)["endpoints"]
        peer = Peer("subscribe", "--connect", self.random.choice(endpoints))
        peer.sink = sink
        return peer

    def sidecar_sink(self, route, name):
        return self.sidecar.sink(name, route)

    # -- what happens at random ----------------------------------------------------------------
    def command(self, word):
        began = time.monotonic()
        self.control.send_string(word)
        answer = self.control.recv_multipart()
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.counts["commands"] += 1
        self.counts["refused"] += answer[0].startswith(b"ERR")
        return answer

    def steer(self):
        route = self.random.choice(("keep", "lossy"))
        word = self.random.choice(("PAUSE", "RESUME", "SET", "SET", "ATTACH", "STATISTICS",
                                   "STATUS", "PING", "GET linger", "NONSENSE", ""))
        if word == "SET":
            key, values = self.random.choice((
                ("inbound_poll_rate", ("1", "10", "1000", "1M")),
                ("max_command_delay", ("0", "100us", "1ms", "50ms")),
                ("coalesce_delay", ("0", "500us", "5ms", "50ms"))))
            word = f"SET route.{route}.{key} {self.random.choice(values)}"
            assert self.command(word)[0].startswith(b"OK"), word
        elif word == "ATTACH":
            word = "DETACH" if self.attached else "ATTACH"
            self.attached = not self.attached
            answer = self.command(f"{word} keep ipc://{self.scratch}/visitor.sock")
            assert answer[0].startswith(b"OK"), answer
            self.counts["attached"] += 1
        elif word == "PAUSE":
            self.command(word)
            self.resume_at = time.monotonic() + self.random.uniform(0.05, 0.5)
        else:
            self.command(word)

    def disturb(self, may_kill):
        now = time.monotonic()
        kind = self.random.choice(("come", "stall", "stall", "kill"))
        if kind == "come" and len(self.guests) < 6:
            self.guests.append(self.subscriber(self.random.choice(self.sinks())))
            self.counts["came"] += 1
        elif kind == "stall" and self.guests:
            guest = self.random.choice(self.guests)
            if not guest.stalled_until:
                guest.freeze()
                guest.stalled_until = now + self.random.uniform(
                    0.5, 2 if guest.sink.startswith("keep") else 6)
                self.counts["stalls"] += 1
        elif kind == "kill" and may_kill and self.guests:
            self.guests.pop(self.random.randrange(len(self.guests))).kill()
            self.counts["kills"] += 1

    def thaw(self, everybody=False):
        for guest in self.guests:
            if guest.stalled_until and (everybody or guest.stalled_until <= time.monotonic()):
                guest.thaw()
                guest.stalled_until = 0

    # -- epochs --------------------------------------------------------------------------------
    def epoch(self, seconds, may_kill):
        end = time.monotonic() + seconds
        self.resume_at = 0
        next_steer = next_disturb = 0
        while (now := time.monotonic()) < end:
            if self.resume_at and now >= self.resume_at:
                self.command("RESUME")
                self.resume_at = 0
            if now >= next_steer:
                self.steer()
                next_steer = now + self.random.expovariate(1 / self.options.pause)
            if now >= next_disturb:
                self.disturb(may_kill)
                next_disturb = now + self.random.expovariate(2)
            self.thaw()
            self.sidecar.assert_alive()
            time.sleep(0.01)
        self.command("RESUME")
        self.thaw(everybody=True)
        self.counts["epochs"] += 1

    def warm(self):
        """Fills every queue once: what memory the limits allow has been taken before it is compared."""
        for _, publisher in self.publishers.values():
            publisher.tell("run")
        for peer in self.stay:
            peer.freeze()

        def full():
            received = self.sidecar.route("keep")["frontend"]["received_messages"]
            time.sleep(0.3)  # a status is at most 100 ms old
            return (self.sidecar_sink("lossy", "lossy-native")["dropped_messages"] > 0 and
                    self.sidecar.route("keep")["frontend"]["received_messages"] == received)
        eventually(full, patience(60), "every queue is full")
        for peer in self.stay:
            peer.thaw()
        self.settle(False)

    def settle(self, killed):
        """Stops the publishers, waits until all has arrived, and compares."""
        self.numbers = {number: self.told(number, "stop") for number in self.publishers}
        lossy = [n for n, (route, _) in self.publishers.items() if route == "lossy"]

        def arrived():
            # Whoever has one more message that was sent after all others has had, or missed for
            # good, everything before it.
            for number in lossy:
                self.numbers[number] = self.told(number, "one")
            time.sleep(0.1)
            return all(self.at_the_end(p) for p in self.stay + self.guests)
        eventually(arrived, patience(60), "all has arrived")
        for peer in self.stay:
            if peer.sink.startswith("keep"):
                assert self.missed(peer) == 0, (peer.sink, peer.report(), self.numbers)
        living = [p for p in self.stay + self.guests if p.sink == "lossy-native"]
        self.gaps = sum(self.missed(p) for p in living)

        def explained():
            self.dropped = self.sidecar_sink("lossy", "lossy-native")["dropped_messages"]
            unexplained = self.dropped - self.gaps - self.offset
            return unexplained == 0 or killed and unexplained > 0
        time.sleep(0.2)  # a status is at most 100 ms old
        try:
            eventually(explained, patience(5))
        except AssertionError as failed:
            raise AssertionError("the drop counter differs from the gaps: " + json.dumps({
                "sent": self.numbers, "killed": killed, "offset": self.offset,
                "dropped": self.dropped, "gaps": self.gaps,
                "living": [p.report()["sources"] for p in living]})) from failed
        self.offset = self.dropped - self.gaps
        for peer in self.stay + self.guests:
            report = peer.report()
            assert report["broken"] == report["backward"] == 0, (peer.sink, report)
            peer.forget()
        for _, publisher in self.publishers.values():
            publisher.forget()

    def told(self, number, command):
        publisher = self.publishers[number][1]
        publisher.tell(command)
        return publisher.wait("stopped", timeout=patience(30))["number"]

    def expected(self, peer):
        """The publishers that a subscriber must have heard, by number."""
        route = peer.sink.split("-", maxsplit=1)[0]
        return {str(n): self.numbers[n] for n, (r, _) in self.publishers.items() if r == route}

    def at_the_end(self, peer):
        sources = peer.report()["sources"]
        # A guest of a keep sink may have come when everything had been sent.
        late = peer in self.guests and peer.sink.startswith("keep")
        return all(late and s not in sources or s in sources and sources[s][2] == sent - 1
                   for s, sent in self.expected(peer).items())

    def missed(self, peer):
        """How many messages it has not had since its first one of each source."""
        sources = peer.report()["sources"]
        return sum(sent - sources[s][1] - sources[s][0]
                   for s, sent in self.expected(peer).items() if s in sources)

    def leave(self):
        """Everything has arrived: those that go take exactly their gaps with them."""
        self.offset += sum(self.missed(g) for g in self.guests
                           if g.sink == "lossy-native")
        for guest in self.guests:
            guest.kill()
        self.guests = []
        for sink in self.sinks():
            eventually(lambda s=sink: self.sidecar_sink(s.split("-")[0], s)["peers"] == 2,
                       what=f"only those that stay at {sink}")

    def figures(self):
        return {"resident": self.sidecar.resident(), "descriptors": self.sidecar.descriptors(),
                "threads": self.sidecar.threads(), "statistics": self.sidecar.statistics()}

    def run(self):
        for sink in self.sinks():
            eventually(lambda s=sink: (found := self.sidecar_sink(s.split("-")[0], s))["peers"]
                       == 2 and found["subscriptions"] > 0)
        self.warm()
        length = max(5.0, min(60.0, self.options.seconds / 10))
        began = time.monotonic()
        before = None
        resident = []
        while True:
            for _, publisher in self.publishers.values():
                publisher.tell("run")
            may_kill = self.counts["epochs"] % 2 == 1
            self.epoch(length, may_kill)
            self.settle(may_kill)
            self.leave()
            figures = self.figures()
            resident.append(figures["resident"])
            if before is None or time.monotonic() - began <= self.options.seconds / 2:
                before = figures  # what comes before it warms up
            if time.monotonic() - began >= self.options.seconds:
                break
        if self.attached:
            self.command(f"DETACH keep ipc://{self.scratch}/visitor.sock")
        self.result = {"seconds": round(time.monotonic() - began), "seed": self.options.seed,
                       **self.counts, "slowest_answer_ms": round(self.slowest * 1000, 1),
                       "dropped": self.dropped, "before": before, "after": figures,
                       "resident_kib": [r >> 10 for r in resident]}
        # The allocator keeps what the fullest moment took, and gives it back when it likes: what a
        # leak would raise is the lowest of the late figures.
        early, late = resident[:(len(resident) + 1) // 2], resident[-(len(resident) // 3 + 1):]
        if FACTOR == 1:  # a sanitizer keeps what was freed; it finds leaks itself
            assert min(late) < max(early) * 1.1 + (16 << 20), self.result
        assert figures["descriptors"] <= before["descriptors"] + 8, self.result
        assert figures["threads"] == before["threads"], self.result
        assert self.slowest < patience(2), self.result
        assert self.sidecar.stop() == 0
        return self.result

    def cleanup(self):
        for peer in [*self.stay, *self.guests, self.visitor,
                     *(p for _, p in self.publishers.values())]:
            peer.kill()
        self.sidecar.cleanup()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--for", dest="seconds", type=float, default=3600, help="seconds")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--rate", type=float, default=500, help="messages/s of each publisher")
    parser.add_argument("--pause", type=float, default=0.2, help="seconds between two commands")
    options = parser.parse_args()
    print(f"seed {options.seed}", file=sys.stderr)
    scratch = tempfile.mkdtemp(prefix="sluice-", dir="/tmp")
    soak = Soak(options, scratch)
    try:
        print(json.dumps(soak.run(), indent=1))
    except BaseException:
        print("\n".join(soak.sidecar.err.lines[-40:]), file=sys.stderr)
        raise
    finally:
        soak.cleanup()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
