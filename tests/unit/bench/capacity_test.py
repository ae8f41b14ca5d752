# SPDX-License-Identifier: Apache-2.0
"""Tests of bench/capacity_model.py and of the script around it."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import capacity_model as model

COSTS = {"message_ns": 100.0, "byte_ns": 0.5, "delivery_ns": 10.0, "delivery_byte_ns": 0.1,
         "wake_ns": 10_000.0, "write_ns": 2000.0, "hop_us": 50.0}
SCRIPT = pathlib.Path(model.__file__).parent / "capacity"


class Capacity(unittest.TestCase):
    def setUp(self):
        self.costs = model.Costs.of(COSTS)

    def test_every_term_counts_what_it_says(self):
        load = model.Load(1, 10_000, 200, coalesce=0.001)
        # 10,000 x (100 + 100) ns and 1000 wakes x 10 us.
        self.assertAlmostEqual(model.fixed_cpu(self.costs, load), 0.002 + 0.01)
        # 10,000 deliveries x 30 ns and 1000 writes x 2 us.
        self.assertAlmostEqual(model.peer_cpu(self.costs, load, 1.0), 0.0003 + 0.002)
        # A subscriber of one in 100 gets 100 messages a second, each in a write of its own.
        self.assertAlmostEqual(model.peer_cpu(self.costs, load, 0.01), 3e-6 + 0.0002)

    def test_without_coalescing_every_message_is_a_wake_and_a_write(self):
        load = model.Load(1, 10_000, 200, coalesce=0.0)
        self.assertAlmostEqual(model.fixed_cpu(self.costs, load), 0.002 + 0.1)
        self.assertAlmostEqual(model.peer_cpu(self.costs, load, 1.0), 0.0003 + 0.02)

    def test_receiving_counts_where_it_was_measured(self):
        costs = model.Costs.of({**COSTS, "read_ns": 5000.0, "signal_ns": 3000.0, "receive_ns": 50.0,
                                "receive_byte_ns": 0.1})
        load = model.Load(1, 10_000, 200, coalesce=0.001)
        # 10,000 x 70 ns; sources: 10,000 reads, 1000 wakes; from above: 1000 reads, 1000 wakes.
        self.assertAlmostEqual(model.receive_cpu(costs, load, True), 0.0007 + 0.05 + 0.003)
        self.assertAlmostEqual(model.receive_cpu(costs, load, False), 0.0007 + 0.005 + 0.003)
        many = model.Load(1, 10_000, 200, coalesce=0.001, together=20)  # 500 reads and wakes
        self.assertAlmostEqual(model.receive_cpu(costs, many, True), 0.0007 + 0.0025 + 0.0015)
        self.assertEqual(model.receive_cpu(self.costs, load, True), 0)

    def test_a_root_that_can_serve_less_than_the_others_is_not_left_out(self):
        costs = model.Costs.of({**COSTS, "read_ns": 20_000.0})
        load = model.Load(200, 10_000, 200)  # 0.212 cores at the root, 0.032 below, 0.0023 a peer
        levels = model.tree(costs, load, model.Machine())
        self.assertEqual([(item.proxies, item.fan_out) for item in levels], [(1, 2), (2, 100)])
        self.assertAlmostEqual(levels[0].cpu, 0.212 + 2 * 0.0023)

    def test_a_connection_carries_headers_and_frames(self):
        load = model.Load(1, 1000, 200, coalesce=0.0)
        self.assertAlmostEqual(model.wire_bits(load, 1.0), 8 * 1000 * (202 + model.FRAMING))
        together = model.Load(1, 10_000, 300, coalesce=0.001)  # 3090 bytes a write: three frames
        self.assertAlmostEqual(model.wire_bits(together, 1.0), 8 * 1000 * (3090 + 3 * model.FRAMING))

    def test_the_smallest_limit_bounds_a_proxy(self):
        load = model.Load(1, 10_000, 200)
        wide = model.Machine(cpu=0.6, network=1e15, peers=10**9)
        self.assertEqual(model.largest_fan_out(self.costs, load, wide, 1.0),
                         (int((0.6 - 0.012) / 0.0023), "CPU"))
        narrow = model.Machine(cpu=0.6, network=model.wire_bits(load, 1.0) * 7.5, peers=10**9)
        self.assertEqual(model.largest_fan_out(self.costs, load, narrow, 1.0), (7, "network"))
        few = model.Machine(cpu=0.6, network=1e15, peers=3)
        self.assertEqual(model.largest_fan_out(self.costs, load, few, 1.0), (3, "peers"))

    def test_levels_reach_everybody_and_stay_within_the_limits(self):
        load = model.Load(1_000_000, 10_000, 200)
        machine = model.Machine()
        levels = model.tree(self.costs, load, machine)
        self.assertEqual(levels[0].proxies, 1)
        self.assertGreaterEqual(levels[-1].proxies * levels[-1].fan_out, load.subscribers)
        for above, below in zip(levels, levels[1:]):
            self.assertGreaterEqual(above.proxies * above.fan_out, below.proxies)
        for item in levels:
            self.assertLessEqual(item.cpu, machine.cpu + 1e-9)
            self.assertLessEqual(item.bits_out, machine.network * (1 + 1e-9))
            self.assertGreater(item.last_us, item.first_us)

    def test_few_subscribers_need_one_proxy(self):
        levels = model.tree(self.costs, model.Load(10, 1000, 100), model.Machine())
        self.assertEqual([(item.proxies, item.fan_out) for item in levels], [(1, 10)])

    def test_what_no_proxy_can_take_is_said(self):
        with self.assertRaisesRegex(model.Infeasible, "split the topics"):
            model.tree(self.costs, model.Load(10, 10_000_000, 100), model.Machine())
        with self.assertRaisesRegex(model.Infeasible, "sources"):
            model.tree(self.costs, model.Load(10, 100, 100, fan_in=20_000), model.Machine())
        with self.assertRaisesRegex(ValueError, "write_ns"):
            model.Costs.of({k: v for k, v in COSTS.items() if k != "write_ns"})

    def test_the_script_prints_the_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "costs.json"
            file.write_text(json.dumps({"machine": {}, "costs": {"native": COSTS}}))
            done = subprocess.run([sys.executable, SCRIPT, "--costs", file, "--subscribers=1M",
                                   "--rate=10k", "--size=200"], capture_output=True, text=True,
                                  check=True)
            self.assertIn("| leaves |", done.stdout)
            self.assertIn("1,000,000 subscribers", done.stdout)
            done = subprocess.run([sys.executable, SCRIPT, "--costs", file, "--engine=zmq"],
                                  capture_output=True, text=True, check=False)
            self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
