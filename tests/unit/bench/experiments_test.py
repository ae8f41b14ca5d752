# SPDX-License-Identifier: Apache-2.0
"""Tests of bench/experiments: figures from results, costs from figures, and what is made of them."""

import json
import pathlib
import shutil
import tempfile
import unittest

import costs
import plots
import report
from plan import EXPERIMENTS
from results import Results, number, rate

COSTS = {"message_ns": 50.0, "byte_ns": 0.25, "delivery_ns": 30.0, "delivery_byte_ns": 0.5}


def flood_points(unit):
    return [(size, n, costs.flood_cost(unit, size, n))
            for size, n in ((100, 1), (1000, 1), (100, 10), (1000, 10), (100, 100))]


class Costs(unittest.TestCase):
    def test_a_fit_finds_the_costs_that_made_the_loads(self):
        for name, value in costs.fit(flood_points(COSTS)).items():
            self.assertAlmostEqual(value, COSTS[name], places=6)

    def test_no_cost_is_below_nothing(self):
        points = flood_points({**COSTS, "message_ns": -20.0, "delivery_ns": 60.0})
        self.assertTrue(all(value >= 0 for value in costs.fit(points).values()))

    def test_wakes_and_looks_are_differences_for_each(self):
        medians = {costs.FLOOD.format("native", 100): {"path_cpu_ns_per_msg": 100.0},
                   costs.TRICKLE.format("native", 10000, "/hold_us:0"):
                       {"path_cpu_ns_per_msg": 5100.0, "wakes": 500.0, "messages": 1000.0},
                   costs.POLL.format("native", 1, 1000):
                       {"cpu_ns_per_msg": 2100.0, "looks": 1000.0, "messages": 1000.0},
                   costs.POLL.format("native", 1000, 1000):
                       {"cpu_ns_per_msg": 100.0, "looks": 0.0, "messages": 1000.0}}
        unit = costs.unit_costs(Results(medians), "native")
        self.assertAlmostEqual(unit["wake_ns"], 10000.0)
        self.assertAlmostEqual(unit["look_ns"], 2000.0)
        self.assertNotIn("message_ns", unit)


class Read(unittest.TestCase):
    def test_medians_the_worst_and_the_sum_of_what_was_lost(self):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for index, value in enumerate((1.0, 5.0, 3.0)):
                files.append(pathlib.Path(folder) / f"{index}.json")
                runs = [{"run_name": "a/b/manual_time", "msgs_per_s": value, "lost": 1.0,
                         "command_max_us": value, "label": "much steal time"},
                        {"run_name": "a/c", "error_occurred": True, "error_message": "skipped: x"}]
                files[-1].write_text(json.dumps({"context": {"date": "today"}, "benchmarks": runs}))
            results = Results.read(files)
            self.assertEqual(results.get("a/b", "msgs_per_s"), 3.0)
            self.assertEqual(results.get("a/b", "command_max_us"), 5.0)
            self.assertEqual(results.lost(), {"a/b": 3.0})
            self.assertEqual(results.skipped, {"a/c": "skipped: x"})
            self.assertIsNone(results.get("a/d", "msgs_per_s"))
            self.assertEqual(results.missed, {"a/d"})
            results.save(pathlib.Path(folder) / "all.json")
            again = Results.load(pathlib.Path(folder) / "all.json")
            self.assertEqual(again.medians, results.medians)


class Report(unittest.TestCase):
    def test_what_was_not_measured_is_a_dash(self):
        text = report.report(Results(), EXPERIMENTS, "2026-12-01", "run", [])
        self.assertIn("| - |", text)
        self.assertNotIn(".svg", text)

    def test_labels_say_what_the_setting_is(self):
        self.assertEqual(report.batching_label("batching/wire/flood/write:fields/nagle:1"),
                         "plain socket, a write for each field, Nagle on")
        self.assertEqual(report.batching_label("batching/native/paced/rate:40000/hold_us:1000"),
                         "engine native, coalesce_delay 1 ms")
        self.assertEqual([report.duration(d) for d in (0, 100, 10000, 1000000)],
                         ["0", "100 us", "10 ms", "1 s"])
        self.assertEqual((rate(1234567), rate(12345), number(3.14159), number(1234.5)),
                         ("1.23M", "12k", "3.1", "1,234"))


class Plots(unittest.TestCase):
    def test_every_picture_has_two_faces(self):
        if shutil.which("gnuplot") is None:
            return  # optional; the report says so
        medians = {}

        class Any(Results):
            def get(self, name, counter):
                medians.setdefault(name, counter)
                return 100.0 + len(medians)

        with tempfile.TemporaryDirectory() as folder:
            made = plots.draw(Any(), EXPERIMENTS, pathlib.Path(folder))
            self.assertEqual(sorted(made), sorted(report.PLOTS.values()))
            for name in made:
                svg = (pathlib.Path(folder) / name).read_text(encoding="utf-8")
                self.assertIn("prefers-color-scheme:dark", svg)
                self.assertIn("#58a6ff", svg)

    def test_colours_change_however_they_are_written(self):
        svg = '<svg width="1">\n<g stroke="rgb( 36,  41,  47)"/><text fill="#24292f"/></svg>'
        text = plots.two_faced(svg)
        self.assertIn('[stroke="rgb( 36,  41,  47)"]{stroke:#e6edf3}', text)
        self.assertIn('[fill="#24292f"]{fill:#e6edf3}', text)


if __name__ == "__main__":
    unittest.main()
