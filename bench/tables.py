# SPDX-License-Identifier: Apache-2.0
"""Reads sluice-bench's JSON and makes Markdown tables of it. Standard library only."""

import json
import re
import statistics

# What each family is judged by: counter, heading, digits.
METRICS = {
    "throughput": [
        ("msgs_per_s", "msgs/s", 0),
        ("cpu_ns_per_msg", "forwarding CPU ns/msg", 0),
        ("path_cpu_ns_per_msg", "path CPU ns/msg", 0),
        ("process_cpu_ns_per_msg", "process CPU ns/msg", 0),
        ("syscalls_per_msg", "syscalls/msg", 3),
        ("p99_us", "p99 us", 0),
    ],
    "trickle": [
        ("cpu_ns_per_msg", "forwarding CPU ns/msg", 0),
        ("path_cpu_ns_per_msg", "path CPU ns/msg", 0),
        ("syscalls_per_msg", "syscalls/msg", 2),
        ("polls_per_msg", "polls/msg", 2),
        ("writes_per_msg", "writes/msg", 2),
        ("p50_us", "p50 us", 0),
        ("p99_us", "p99 us", 0),
    ],
    "fanout": [
        ("deliveries_per_s", "deliveries/s", 0),
        ("path_cpu_ns_per_delivery", "path CPU ns/delivery", 0),
        ("first_us", "first us", 0),
        ("last_us", "last us", 0),
        ("last_p99_us", "last p99 us", 0),
    ],
    "topics": [
        ("msgs_per_s", "msgs/s", 0),
        ("cpu_ns_per_msg", "forwarding CPU ns/msg", 0),
        ("path_cpu_ns_per_msg", "path CPU ns/msg", 0),
    ],
    "process": [
        ("cpu_ns_per_delivery", "intermediary's CPU ns/delivery", 0),
        ("deliveries_per_s", "deliveries/s", 0),
        ("cpu_cores", "intermediary's CPUs", 2),
        ("process_cpu_ns_per_msg", "publishers' CPU ns/msg", 0),
        ("peak_rss_bytes", "peak resident bytes", 0),
        ("p50_us", "p50 us", 0),
        ("p99_us", "p99 us", 0),
    ],
    "peers": [
        ("heap_bytes_per_peer", "heap bytes/peer", 0),
        ("resident_bytes_per_peer", "resident bytes/peer", 0),
        ("path_cpu_ns_per_delivery", "path CPU ns/delivery", 0),
        ("last_us", "last us", 0),
        ("last_p99_us", "last p99 us", 0),
        ("command_p50_us", "command p50 us", 0),
        ("command_p99_us", "command p99 us", 0),
        ("command_max_us", "command max us", 0),
    ],
    "connect": [
        ("create_p50_us", "create p50 us", 0),
        ("connect_p50_us", "connect p50 us", 0),
        ("first_p50_us", "first message p50 us", 0),
        ("close_p50_us", "close p50 us", 0),
        ("total_p50_us", "total p50 us", 0),
        ("total_p99_us", "total p99 us", 0),
        ("total_max_us", "total worst us", 0),
    ],
    "roundtrip": [
        ("thousand_ms", "1000 round trips ms", 1),
        ("p50_us", "p50 us", 0),
        ("p99_us", "p99 us", 0),
        ("cpu_ns_per_round_trip", "forwarding CPU ns/round trip", 0),
        ("forwarding_syscalls_per_round_trip", "syscalls/round trip", 1),
    ],
    "batching": [
        ("msgs_per_s", "msgs/s", 0),
        ("writes_per_msg", "writes/msg", 4),
        ("process_cpu_ns_per_msg", "process CPU ns/msg", 0),
        ("p50_us", "p50 us", 0),
        ("p99_us", "p99 us", 0),
    ],
    "command_latency": [
        ("msgs_per_s", "msgs/s", 0),
        ("cpu_ns_per_msg", "forwarding CPU ns/msg", 0),
        ("polls_per_msg", "polls/msg", 4),
        ("writes_per_msg", "writes/msg", 4),
        ("command_p50_us", "command p50 us", 0),
        ("command_p99_us", "command p99 us", 0),
        ("command_max_us", "command max us", 0),
    ],
}
OTHER_METRICS = [("msgs_per_s", "msgs/s", 0), ("cpu_ns_per_msg", "forwarding CPU ns/msg", 0)]
# Knobs of ours that a variant without them does not have in its name.
KNOBS = re.compile(r"/(hold_us|poll_rate|delay_us|out_batch|nagle|write):[^/]*")


class Result:
    """All repetitions of one benchmark: what it said, keyed by (file, repetition)."""

    def __init__(self, name):
        self.family, self.variant, *rest = name.split("/", 2)
        self.rest = rest[0] if rest else ""
        self.runs = {}
        self.error = None

    def series(self, counter, keys=None):
        runs = self.runs if keys is None else {k: self.runs[k] for k in keys}
        return [run[counter] for run in runs.values() if counter in run]

    def median(self, counter):
        values = self.series(counter)
        return statistics.median(values) if values else None

    def ratios(self, base, counter):
        """Against `base` in the same run, repetition by repetition."""
        return [
            self.runs[k][counter] / base.runs[k][counter]
            for k in self.runs
            if k in base.runs
            and counter in self.runs[k]
            and base.runs[k].get(counter, 0) != 0
        ]


def read(paths):
    """Benchmarks in order of appearance, and the context of the last file."""
    results = {}
    context = {}
    for index, path in enumerate(paths):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        context = data["context"]
        for run in data["benchmarks"]:
            if run.get("run_type") == "aggregate":
                continue
            name = run["run_name"].removesuffix("/manual_time")
            result = results.setdefault(name, Result(name))
            if run.get("error_occurred"):
                result.error = run.get("error_message", "failed")
                continue
            result.runs[(index, run.get("repetition_index", 0))] = run
    return results, context


def base_of(result, results, against):
    name = "/".join(filter(None, [result.family, against, result.rest]))
    if name in results:
        return results[name]
    return results.get(KNOBS.sub("", name))


def number(value, digits):
    return f"{value:,.{digits}f}"


def cell(result, base, counter, digits, is_base):
    value = result.median(counter)
    if value is None:
        return "-"
    text = number(value, digits)
    ratios = [] if is_base or base is None else result.ratios(base, counter)
    if not ratios:
        return text
    text += f" **{statistics.median(ratios):.2f}x**"
    if len(ratios) > 2:
        text += f" ({min(ratios):.2f} to {max(ratios):.2f})"
    return text


def table(family, results, against):
    """Medians, and in bold the median ratio to `against` in the same run (its range beside it)."""
    rows = [r for r in results.values() if r.family == family]
    wanted = METRICS.get(family, OTHER_METRICS)
    metrics = [m for m in wanted if any(r.series(m[0]) for r in rows)]
    out = [
        "| benchmark | variant | " + " | ".join(m[1] for m in metrics) + " | lost | runs |",
        "| --- | --- |" + " ---: |" * (len(metrics) + 2),
    ]
    order = {rest: i for i, rest in enumerate(dict.fromkeys(KNOBS.sub("", "/" + r.rest) for r in rows))}
    rows.sort(key=lambda r: order[KNOBS.sub("", "/" + r.rest)])
    for r in rows:
        if not r.runs:
            out.append(f"| {r.rest} | {r.variant} | " + "| " * len(metrics) + f"| {r.error} |")
            continue
        base = base_of(r, results, against)
        cells = [cell(r, base, m[0], m[2], r.variant == against) for m in metrics]
        lost = f"{sum(r.series('lost')):,.0f}" if r.series("lost") else "-"
        marked = sum(1 for run in r.runs.values() if run.get("label"))
        runs = f"{len(r.runs)}" + (f" ({marked} with much steal time)" if marked else "")
        out.append(f"| {r.rest} | {r.variant} | " + " | ".join(cells) + f" | {lost} | {runs} |")
    return "\n".join(out)


def facts(context):
    keys = ["date", "cpu_model", "cpu_count", "kernel", "libzmq", "compiler", "build_type"]
    return ", ".join(f"{k} {context[k]}" for k in keys if k in context)


def report(paths, against="stock"):
    results, context = read(paths)
    families = dict.fromkeys(r.family for r in results.values())
    parts = [facts(context)]
    for family in families:
        parts.append(f"### {family}\n\n{table(family, results, against)}")
    return "\n\n".join(parts) + "\n"
