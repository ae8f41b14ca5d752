# SPDX-License-Identifier: Apache-2.0
"""report.py FOLDER: what docker/bench measured, as figures.json, table.md and SVG plots.

Reads <place>.<transport>.<variant>.<round>.json (Google Benchmark's JSON); standard library only.
Ratios are taken within one round, between measurements that followed each other.
"""
import html
import json
import pathlib
import statistics
import sys

PLACES = ["container", "bare"]
LOADS = {"flood1": "flood/sources:4/size:100/subs:1", "flood10": "flood/sources:4/size:100/subs:10",
         "even": "even/sources:4/rate:2500/subs:1"}
FIGURES = [  # heading, load, counter, digits
    ("flood, 1 subscriber: msgs/s", "flood1", "deliveries_per_s", 0),
    ("proxy CPU ns/msg", "flood1", "cpu_ns_per_delivery", 0),
    ("flood, 10: deliveries/s", "flood10", "deliveries_per_s", 0),
    ("10k msg/s: proxy CPU us/msg", "even", "cpu_us", 1),
    ("p50 us", "even", "p50_us", 0),
    ("p99 us", "even", "p99_us", 0),
]


def read(folder):
    """{(transport, variant, place): {round: {load: {counter: value}}}}"""
    cells = {}
    for file in sorted(folder.glob("*.*.*.*.json")):
        place, transport, variant, index = file.name.split(".")[:4]
        loads = {}
        for row in json.loads(file.read_text(encoding="utf-8"))["benchmarks"]:
            if row.get("error_occurred"):
                sys.exit(f"{file.name}: {row['name']}: {row['error_message']}")
            load = next(k for k, v in LOADS.items() if f"/{v}/" in row["name"])
            row["cpu_us"] = row.get("cpu_ns_per_delivery", 0) / 1000
            loads[load] = row
        cells.setdefault((transport, variant, place), {})[index] = loads
    return cells


def median(cells, key, load, counter):
    values = [loads[load][counter] for loads in cells.get(key, {}).values() if counter in loads[load]]
    return statistics.median(values) if values else None


def ratio(cells, above, below, load, counter):
    a, b = cells.get(above, {}), cells.get(below, {})
    values = [a[r][load][counter] / b[r][load][counter] for r in a.keys() & b.keys()
              if b[r][load].get(counter)]
    return statistics.median(values) if values else None


def number(value, digits):
    return "" if value is None else f"{value:,.{digits}f}"


def table(cells):
    groups = list(dict.fromkeys((t, v) for t, v, _ in cells))
    lines = ["| transport | variant | where | " + " | ".join(f[0] for f in FIGURES) + " | lost |",
             "| --- | --- | --- |" + " ---: |" * (len(FIGURES) + 1)]
    for transport, variant in groups:
        for place in PLACES:
            key = (transport, variant, place)
            if key not in cells:
                continue
            lost = sum(row.get("lost", 0) for loads in cells[key].values() for row in loads.values())
            lines.append(f"| {transport} | {variant} | {place} | " + " | ".join(
                number(median(cells, key, load, counter), digits)
                for _, load, counter, digits in FIGURES) + f" | {lost:.0f} |")
        pair = [(transport, variant, place) for place in PLACES]
        if all(key in cells for key in pair):
            lines.append(f"| | | **container / bare** | " + " | ".join(
                f"**{number(ratio(cells, *pair, load, counter), 2)}**"
                for _, load, counter, _ in FIGURES) + " | |")
    return "\n".join(lines) + "\n"


def plot(cells, title, load, counter):
    """Grouped bars: one row a transport and variant, one bar a place."""
    groups = list(dict.fromkeys((t, v) for t, v, _ in cells))
    values = {key: median(cells, key, load, counter) or 0 for key in cells}
    top = max(values.values(), default=0) or 1
    colours = {"container": "#2a6fbb", "bare": "#d1862b"}
    row, left, width = 34, 190, 520
    height = 60 + row * len(groups)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 110}" height="{height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="100%" height="100%" fill="white"/><text x="10" y="20" font-size="15">'
           f'{html.escape(title)}</text>']
    for index, place in enumerate(PLACES):
        out.append(f'<rect x="{left + index * 110}" y="28" width="12" height="12" '
                   f'fill="{colours[place]}"/><text x="{left + index * 110 + 18}" y="39">{place}</text>')
    for index, (transport, variant) in enumerate(groups):
        y = 52 + index * row
        out.append(f'<text x="{left - 8}" y="{y + 18}" text-anchor="end">{transport} {variant}</text>')
        for place in PLACES:
            if (transport, variant, place) not in values:
                continue
            value = values[transport, variant, place]
            length = value / top * width
            offset = y + (14 if place == "bare" else 0)
            out.append(f'<rect x="{left}" y="{offset}" width="{length:.1f}" height="12" '
                       f'fill="{colours[place]}"/><text x="{left + length + 5:.1f}" '
                       f'y="{offset + 11}">{value:,.0f}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main(folder):
    cells = read(folder)
    if not cells:
        sys.exit(f"{folder}: nothing measured")
    figures = [{"transport": t, "variant": v, "place": p,
                "loads": {load: {counter: median(cells, (t, v, p), load, counter)
                                 for _, of, counter, _ in FIGURES if of == load} for load in LOADS}}
               for t, v, p in cells]
    (folder / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for title, load, counter, _ in FIGURES:
        if counter != "p50_us":
            full = title if load in title or "flood" in title or "10k" in title else f"{load}: {title}"
            (folder / f"{load}-{counter}.svg").write_text(plot(cells, full, load, counter),
                                                          encoding="utf-8")
    (folder / "table.md").write_text(table(cells), encoding="utf-8")
    print(table(cells), end="")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
