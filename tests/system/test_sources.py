# SPDX-License-Identifier: Apache-2.0
"""Sources a sidecar has by itself: generators and plug-ins."""
import os

import pytest

from support.wait import FACTOR, eventually, patience

PLUGIN = os.environ.get("SLUICE_EXAMPLE_PLUGIN", "")


@pytest.fixture
def with_source(sidecar, scratch, engine):
    def start(section, **options):
        started = sidecar(f"{section}\n[sink edge]\nengine = {engine}\n"
                          f"bind = ipc://{scratch}/out.sock\non_full = block\n"
                          f"[route default]\nlinger = {int(500 * FACTOR)}ms\n", **options)
        started.ipc = f"ipc://{scratch}/out.sock"
        return started
    return start


def test_generator_at_a_rate(with_source, subscriber):
    sidecar = with_source("[generator demo]\nrate = 2k\nsize = 100\ntopics = a,b,c")
    reader = subscriber(sidecar.ipc, topics=[b"a", b"b", b"c"]).listen(6)
    first = [m[0] for m in reader.messages(6)]
    assert {m[:1] for m in first} == {b"a", b"b", b"c"} and {len(m) for m in first} == {100}
    before = sidecar.statistics()[0]
    eventually(lambda: sidecar.statistics()[0] >= before + 1000)


def test_generator_publishes_only_what_somebody_wants(with_source, subscriber):
    sidecar = with_source("[generator demo]\nrate = 1k\nsize = 64\ntopics = a,b")
    reader = subscriber(sidecar.ipc, topics=[b"b"]).listen(20)
    assert {m[0][:1] for m in reader.messages(20)} == {b"b"}


def test_generator_as_fast_as_possible_waits_when_full(with_source, subscriber):
    sidecar = with_source("[generator demo]\nrate = 0\nsize = 100")
    reader = subscriber(sidecar.ipc, hwm=10)
    eventually(lambda: reader.total() > 10_000)
    received, _, _, _, _, _, sent, _ = sidecar.statistics()
    assert 0 <= received - sent <= 1
    assert sidecar.stop(timeout=patience(5)) == 0


def test_two_generators_and_a_remote_publisher(with_source, scratch, subscriber, publisher):
    sidecar = with_source("[generator one]\nrate = 100\ntopics = one\n"
                          "[generator two]\nrate = 100\ntopics = two\n"
                          f"[source feed]\nbind = ipc://{scratch}/in.sock")
    reader = subscriber(sidecar.ipc).listen()
    writer = publisher(f"ipc://{scratch}/in.sock")
    writer.subscribed(b"")
    writer.raw(b"remote")
    seen = set()

    def all_seen():
        seen.update(m[0][:3] for m in reader.messages(10))
        return {b"one", b"two", b"rem"} <= seen
    eventually(all_seen)
    names = {s["name"] for s in sidecar.route()["sources"]}
    assert {"one", "two", "feed"} <= names


@pytest.mark.parametrize("line", ["rate = -1", "size = 0", "rate = fast"])
def test_a_wrong_generator_is_refused(with_source, line):
    sidecar = with_source(f"[generator demo]\n{line}", ready=False)
    assert sidecar.wait() == 78
    assert "sluice.ini:2:" in sidecar.err.text()


def test_plugin(with_source, subscriber):
    assert os.path.exists(PLUGIN), "SLUICE_EXAMPLE_PLUGIN must name the built example"
    sidecar = with_source(f"[plugin mine]\npath = {PLUGIN}")
    reader = subscriber(sidecar.ipc).listen()
    reader.messages(3)
    assert "mine" in {s["name"] for s in sidecar.route()["sources"]}
    assert sidecar.stop(timeout=patience(5)) == 0


@pytest.mark.parametrize("path", ["/nonexistent/plugin.so", "/bin/true"])
def test_a_plugin_that_cannot_be_loaded(with_source, path):
    sidecar = with_source(f"[plugin mine]\npath = {path}", ready=False)
    assert sidecar.wait() in (1, 78)
    assert path in sidecar.err.text()
