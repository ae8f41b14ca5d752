# SPDX-License-Identifier: Apache-2.0
"""Tests of bench/tables.py."""

import json
import os
import tempfile
import unittest

import tables


def run(name, repetition=0, **counters):
    return {"run_name": name + "/manual_time", "run_type": "iteration",
            "repetition_index": repetition, **counters}


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.files = []

    def tearDown(self):
        self.folder.cleanup()

    def write(self, *runs):
        path = os.path.join(self.folder.name, f"{len(self.files)}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"context": {"libzmq": "4.3.4"}, "benchmarks": list(runs)}, file)
        self.files.append(path)

    def test_ratios_are_taken_within_a_repetition(self):
        # Each round is twice as fast as the one before; ours is always 1.5 of stock.
        for speed in (100, 200, 400):
            self.write(run("throughput/stock/a:1", msgs_per_s=speed, lost=0),
                       run("throughput/zmq/a:1", msgs_per_s=speed * 1.5, lost=0))
        results, _ = tables.read(self.files)
        ratios = results["throughput/zmq/a:1"].ratios(results["throughput/stock/a:1"], "msgs_per_s")
        self.assertEqual(ratios, [1.5, 1.5, 1.5])
        self.assertIn("300 **1.50x** (1.50 to 1.50)", tables.report(self.files))

    def test_repetitions_of_one_file_are_pairs_too(self):
        self.write(run("trickle/stock/r", 0, cpu_ns_per_msg=10.0),
                   run("trickle/stock/r", 1, cpu_ns_per_msg=20.0),
                   run("trickle/native/r", 1, cpu_ns_per_msg=5.0),
                   run("trickle/native/r", 0, cpu_ns_per_msg=5.0))
        results, _ = tables.read(self.files)
        ratios = results["trickle/native/r"].ratios(results["trickle/stock/r"], "cpu_ns_per_msg")
        self.assertEqual(sorted(ratios), [0.25, 0.5])

    def test_a_knob_of_ours_does_not_hide_the_stock_row(self):
        self.write(run("trickle/stock/rate:1/even", cpu_ns_per_msg=10.0),
                   run("trickle/zmq/rate:1/even/hold_us:1000", cpu_ns_per_msg=2.0))
        self.assertIn("**0.20x**", tables.report(self.files))

    def test_aggregates_are_left_out_and_skipped_variants_named(self):
        self.write(run("throughput/stock/a", msgs_per_s=1),
                   {**run("throughput/stock/a", msgs_per_s=77), "run_type": "aggregate"},
                   {**run("throughput/native/a"), "error_occurred": True,
                    "error_message": "skipped: not in this build"})
        text = tables.report(self.files)
        self.assertNotIn("77", text)
        self.assertIn("skipped: not in this build", text)

    def test_loss_is_summed_and_steal_marked(self):
        self.write({**run("throughput/stock/a", msgs_per_s=1, lost=3), "label": "much steal time"})
        self.write(run("throughput/stock/a", msgs_per_s=1, lost=4))
        self.assertIn("| 7 | 2 (1 with much steal time) |", tables.report(self.files))


if __name__ == "__main__":
    unittest.main()
