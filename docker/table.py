# SPDX-License-Identifier: Apache-2.0
"""table.py FILE.json: Google Benchmark's JSON as a Markdown table of the counters we care about."""
import json
import sys

COLUMNS = [("msgs_per_s", "msgs/s"), ("deliveries_per_s", "deliveries/s"),
           ("cpu_ns_per_msg", "CPU ns/msg"), ("process_cpu_ns_per_msg", "process CPU ns/msg"),
           ("polls_per_msg", "polls/msg"), ("writes_per_msg", "writes/msg"),
           ("syscalls_per_msg", "system calls/msg"), ("lost", "lost")]


def cell(value):
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def main(path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    print("| benchmark | " + " | ".join(title for _, title in COLUMNS) + " |")
    print("| --- |" + " ---: |" * len(COLUMNS))
    for row in rows:
        print(f"| {row['name']} | " + " | ".join(cell(row.get(key)) for key, _ in COLUMNS) + " |")


if __name__ == "__main__":
    main(sys.argv[1])
