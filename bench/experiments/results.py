# SPDX-License-Identifier: Apache-2.0
"""Medians over the rounds, by the names of sluice-bench; and Markdown tables."""

import json
import statistics

import tables


class Results:
    """`medians`: counters by benchmark name. `skipped`: the reason by name."""

    def __init__(self, medians=None, skipped=None, context=None, rounds=None):
        self.medians = medians or {}
        self.skipped = skipped or {}
        self.context = context or {}
        self.rounds = rounds or {}
        self.missed = set()  # names that were asked for and are not there

    @staticmethod
    def read(paths):
        """From files of Google Benchmark, one for each experiment and round."""
        out = Results()
        runs = {}
        for path in paths:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
            out.context = data["context"]
            for run in data["benchmarks"]:
                name = run["run_name"].removesuffix("/manual_time")
                if run.get("error_occurred"):
                    out.skipped[name] = run.get("error_message", "failed")
                elif run.get("run_type") != "aggregate":
                    runs.setdefault(name, []).append(run)
        for name, several in runs.items():
            out.skipped.pop(name, None)
            out.medians[name] = {
                key: statistics.median(run[key] for run in several if key in run)
                for key, value in several[0].items()
                if isinstance(value, (int, float)) and not isinstance(value, bool)
                and key not in ("repetitions", "repetition_index", "threads", "iterations",
                                "family_index", "per_family_instance_index")}
            # The worst is the worst of all rounds, and loss is the sum.
            for key in out.medians[name]:
                if key.endswith("_max_us"):
                    out.medians[name][key] = max(run.get(key, 0) for run in several)
                if key in ("lost", "disorder"):
                    out.medians[name][key] = sum(run.get(key, 0) for run in several)
            out.rounds[name] = len(several)
        return out

    @staticmethod
    def load(path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        return Results(data["medians"], data["skipped"], data["context"], data["rounds"])

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"context": self.context, "rounds": self.rounds, "skipped": self.skipped,
                       "medians": self.medians}, file, indent=1)
            file.write("\n")

    def get(self, name, counter):
        """Nothing where there is no such figure."""
        if name not in self.medians and name not in self.skipped:
            self.missed.add(name)
        return self.medians.get(name, {}).get(counter)

    def facts(self):
        return tables.facts(self.context)

    def lost(self, prefix=""):
        """Benchmarks that lost messages."""
        return {name: counters["lost"] for name, counters in self.medians.items()
                if name.startswith(prefix) and counters.get("lost")}


def number(value, digits=0):
    """Thousands apart; small values with as many digits as say something."""
    if value is None:
        return "-"
    if digits == 0 and 0 < abs(value) < 10:
        digits = 1
    return f"{value:,.{digits}f}"


def rate(value):
    """Messages a second."""
    if value is None:
        return "-"
    if value >= 1e6:
        return f"{value / 1e6:.2f}M"
    return f"{value / 1e3:,.0f}k" if value >= 1e4 else f"{value:,.0f}"


def ratio(value, base):
    return f"{value / base:.2f}" if value is not None and base else "-"


def markdown(header, rows):
    """The first column is text, the others are figures."""
    out = ["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
    out += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(out)
