# SPDX-License-Identifier: Apache-2.0
"""Pictures by gnuplot: SVG with a light and a dark face, which the viewer's preference chooses."""

import re
import shutil
import subprocess

from report import DELAYS, LISTENERS, POLL, RATES, SIZES, TRANSPORTS, duration

# What gnuplot draws with, and what it becomes in the dark.
FACES = {"#ffffff": "#0d1117", "#24292f": "#e6edf3", "#d0d7de": "#30363d", "#0969da": "#58a6ff",
         "#cf222e": "#ff7b72", "#1a7f37": "#56d364", "#9a6700": "#e3b341", "#8250df": "#d2a8ff",
         "#6e7781": "#8b949e"}
PAPER, INK, GRID, BLUE, RED, GREEN, YELLOW, PURPLE, GREY = FACES

HEAD = """set terminal svg size {width},{height} dynamic noenhanced font 'sans-serif,13' background rgb '{paper}'
set output '{file}'
set encoding utf8
set border 3 lc rgb '{ink}' lw 1
set tics nomirror out scale 0.5 textcolor rgb '{ink}'
set grid y lc rgb '{grid}' lw 1 lt 1
unset key
set title tc rgb '{ink}' font ',14'
set xlabel tc rgb '{ink}'
set ylabel tc rgb '{ink}'
set style fill solid 1.0 noborder
"""


def script_head(file, width, height):
    return HEAD.format(file=file, width=width, height=height, paper=PAPER, ink=INK, grid=GRID)


def block(name, rows):
    """Named data; what is missing breaks the line."""
    lines = [" ".join("NaN" if cell is None else f'"{cell}"' if isinstance(cell, str) else f"{cell:.6g}"
                      for cell in row) for row in rows]
    return f"${name} << EOD\n" + "\n".join(lines) + "\nEOD\n"


def lines_of(series):
    """`series`: (block, column, colour, dashed)."""
    return "plot " + ", \\\n  ".join(
        f"${name} using 1:{column} with linespoints lc rgb '{colour}' lw 2 pt 7 ps 0.6"
        f"{' dt 2' if dashed else ''}" for name, column, colour, dashed in series) + "\n"


def legend(entries, width, y):
    """One row of (text, colour, dashed), centred at `y` of the page; for the next plot only."""
    character, swatch, gap = 7.4, 34.0, 22.0
    x = (width - sum(swatch + character * len(text) + gap for text, _, _ in entries) + gap) / 2
    out = ""
    for index, (text, colour, dashed) in enumerate(entries, 1):
        start, end, label = x / width, (x + swatch - 8) / width, (x + swatch) / width
        dash = " dt 2" if dashed else ""
        out += (f"set arrow {index} from screen {start:.4f},{y} to screen {end:.4f},{y} nohead "
                f"lc rgb '{colour}' lw {3 if not dashed else 2}{dash}\n"
                f"set label {index} '{text}' at screen {label:.4f},{y} left tc rgb '{INK}'\n")
        x += swatch + character * len(text) + gap
    return out


NO_LEGEND = "unset arrow\nunset label\n"


def poll(results, file):
    stock = results.get(POLL.format("stock", ""), "msgs_per_s")
    stock_wait = results.get(POLL.format("stock", ""), "command_p99_us")

    def row(rate):
        names = (POLL.format("polled", f"/poll_rate:{rate}"),
                 POLL.format("zmq", f"/poll_rate:{rate}/delay_us:1000"),
                 POLL.format("native", f"/poll_rate:{rate}/delay_us:1000"))
        return [rate, *(results.get(n, "msgs_per_s") for n in names), stock,
                *(results.get(n, "command_p99_us") for n in names), stock_wait]

    def delays(counter):
        return [[max(delay, 10), *(results.get(POLL.format("native", f"/poll_rate:{rate}/delay_us:{delay}"),
                                               counter) for rate in (10, 1000, 10000))]
                for delay in DELAYS]

    ticks = ", ".join(f"'{duration(d)}' {max(d, 10)}" for d in DELAYS)
    names = (("polled as libzmq 4.3.1", YELLOW), ("engine zmq", GREEN), ("engine native", BLUE),
             ("stock", RED))
    text = script_head(file, 900, 680) + block("rate", [row(r) for r in RATES])
    text += block("speed", delays("msgs_per_s")) + block("wait", delays("command_p99_us"))
    text += "set multiplot layout 2,2 margins 0.08,0.96,0.09,0.89 spacing 0.10,0.20\n"
    text += "set logscale xy\nset format y '%.0s%c'\nset format x '%.0f'\n"
    text += "set title 'Messages a second'\nset xlabel 'inbound_poll_rate (max_command_delay 1 ms)'\n"
    text += legend([(t, c, t == "stock") for t, c in names], 900, 0.975)
    text += lines_of([("rate", i + 2, c, t == "stock") for i, (t, c) in enumerate(names)])
    text += "set title 'Command latency p99'\nset format y '%.0s %cs'\n" + NO_LEGEND
    text += lines_of([("rate", f"(${i + 6}*1e-6)", c, t == "stock")
                      for i, (t, c) in enumerate(names)])
    text += f"set xtics ({ticks})\nset xlabel 'max_command_delay, engine native'\nset xrange [8:1.3e6]\n"
    text += "set format y '%.0s%c'\nset title 'Messages a second'\n"
    rates = (("inbound_poll_rate 10", PURPLE), ("1000", BLUE), ("10,000", GREY))
    text += legend([(t, c, False) for t, c in rates], 900, 0.475)
    text += lines_of([("speed", i + 2, c, False) for i, (_, c) in enumerate(rates)])
    text += "set title 'Command latency p99'\nset format y '%.0s %cs'\n" + NO_LEGEND
    text += lines_of([("wait", f"(${i + 2}*1e-6)", c, False) for i, (_, c) in enumerate(rates)])
    return text + "unset multiplot\n"


def connect(results, file):
    steps = (("create", GREY), ("connect", RED), ("first", BLUE), ("close", YELLOW))
    text = script_head(file, 900, 420)
    text += "set multiplot layout 1,2 margins 0.07,0.93,0.24,0.83 spacing 0.09,0.1\n"
    text += "set style data histograms\nset style histogram rowstacked\nset boxwidth 0.7\n"
    text += "set xtics rotate by -35\nset yrange [0:*]\nset ylabel 'microseconds, median'\n"
    for index, (client, who) in enumerate((("raw", "a plain socket"), ("zmq", "libzmq''s SUB"))):
        rows = []
        for transport, _ in TRANSPORTS:
            for variant in ("stock", "zmq", "native"):
                name = f"connect/{variant}/{transport}/client:{client}"
                rows.append([f"{transport} {variant}",
                             *(results.get(name, f"{step}_p50_us") for step, _ in steps)])
        text += block(f"steps{index}", rows)
        text += f"set title 'Connect to first message: {who}'\n"
        text += "unset ylabel\n" + NO_LEGEND if index else legend(
            [(step if step != "first" else "first message", c, False) for step, c in steps], 900, 0.96)
        text += "plot " + ", ".join(
            f"$steps{index} using {i + 2}:xtic(1) lc rgb '{colour}'"
            for i, (_, colour) in enumerate(steps)) + "\n"
    return text + "unset multiplot\n"


def roundtrip(results, file):
    variants = (("raw", "plain sockets"), ("direct", "no proxy"), ("stock", "stock call"), ("call", "our call"))
    rows = [[text, *(results.get(f"roundtrip/{variant}/{t}", "thousand_ms") for t, _ in TRANSPORTS)]
            for variant, text in variants]
    text = script_head(file, 760, 360) + block("ms", rows)
    text += "set style data histograms\nset style histogram clustered gap 1\nset boxwidth 0.9\n"
    text += "set yrange [0:*]\nset ylabel 'milliseconds'\nset title '1000 round trips'\n"
    text += "set tmargin at screen 0.80\nset xtics scale 0\n"
    colours = (RED, YELLOW, BLUE)
    text += legend([(where, c, False) for (_, where), c in zip(TRANSPORTS, colours)], 760, 0.96)
    text += "plot " + ", ".join(f"$ms using {i + 2}:xtic(1) lc rgb '{colour}'"
                                for i, colour in enumerate(colours)) + "\n"
    return text


def fanout(results, file):
    variants = (("loop", "loop over UNIX sockets", YELLOW), ("multicast", "kernel multicast", GREY),
                ("stock", "stock", RED), ("native", "engine native", BLUE))
    text = script_head(file, 960, 420)
    text += "set multiplot layout 1,3 margins 0.085,0.98,0.17,0.83 spacing 0.065,0.1\n"
    text += "set logscale xy\nset format y '%.0s %cs'\nset xlabel 'listeners'\n"
    text += f"set xtics ({', '.join(map(str, LISTENERS))})\nset yrange [8e-6:*]\nset xrange [9:220]\n"
    for size in SIZES:
        rows = []
        for count in LISTENERS:
            row = [count]
            for variant, _, _ in variants:
                name = f"fanout/{variant}/latency/size:{size}/subs:{count}"
                row += [results.get(name, "first_us"), results.get(name, "last_us")]
            rows.append(row)
        text += block(f"f{size}", rows) + f"set title '{size:,} bytes'\n"
        first = size == SIZES[0]
        series = []
        for i, (_, _, colour) in enumerate(variants):
            series.append((f"f{size}", f"(${2 * i + 3}*1e-6)", colour, False))
            series.append((f"f{size}", f"(${2 * i + 2}*1e-6)", colour, True))
        text += legend([(t, c, False) for _, t, c in variants], 960, 0.96) if first else NO_LEGEND
        text += "set ylabel 'last (line) and first (dashed) listener'\n" if first else "unset ylabel\n"
        text += lines_of(series)
    return text + "unset multiplot\n"


def batching(results, file):
    flood = "batching/{}/flood/{}/nagle:{}"
    rows = []
    for size, wire, native in ((26, "write:message", "out_batch:26"), (256, "write:256", "out_batch:256"),
                               (1024, "write:1024", "out_batch:1024"), (8192, "write:8192", "out_batch:8192"),
                               (65536, "write:65536", "out_batch:65536")):
        rows.append([size, *(results.get(flood.format(v, s, n), "msgs_per_s")
                             for v, s in (("wire", wire), ("native", native)) for n in (0, 1))])
    holds = []
    for hold in (0, 100, 300, 1000, 3000):
        names = [f"batching/{v}/paced/rate:40000/hold_us:{hold}" for v in ("zmq", "native")]
        holds.append([max(hold, 30), *(results.get(n, "path_cpu_ns_per_msg") for n in names),
                      *(results.get(n, "p99_us") for n in names)])
    text = script_head(file, 960, 420) + block("flood", rows) + block("hold", holds)
    text += "set multiplot layout 1,3 margins 0.06,0.97,0.17,0.83 spacing 0.075,0.1\n"
    text += "set logscale xy\nset format y '%.0s%c'\nset format x '%.0f'\n"
    text += "set xlabel 'bytes a write at most'\nset title '24-byte messages a second'\n"
    text += legend([("plain socket", YELLOW, False), ("with Nagle", YELLOW, True),
                    ("engine native", BLUE, False), ("with Nagle", BLUE, True),
                    ("engine zmq", GREEN, False)], 960, 0.96)
    text += lines_of([("flood", 2, YELLOW, False), ("flood", 3, YELLOW, True),
                      ("flood", 4, BLUE, False), ("flood", 5, BLUE, True)]) + NO_LEGEND
    text += "set xtics ('0' 30, '100 us' 100, '300' 300, '1 ms' 1000, '3' 3000)\n"
    text += "set xlabel 'coalesce_delay, 40,000 msg/s'\nset xrange [20:4500]\nunset logscale y\n"
    text += "set title 'CPU of the path a message'\nset yrange [0:*]\nset format y '%.0s %cs'\n"
    text += lines_of([("hold", "($2*1e-9)", GREEN, False),
                      ("hold", "($3*1e-9)", BLUE, False)])
    text += "set title 'Latency p99'\n"
    text += lines_of([("hold", "($4*1e-6)", GREEN, False), ("hold", "($5*1e-6)", BLUE, False)])
    return text + "unset multiplot\n"


def costs(results, file):
    from costs import FANOUT, FLOOD
    rows = []
    for count in (1, 10, 100):
        row = [count]
        for variant in ("stock", "zmq", "native"):
            name = FLOOD.format(variant, 100) if count == 1 else FANOUT.format(variant, 100, count)
            row += [results.get(name, "path_cpu_ns_per_delivery"),
                    results.get(name, "deliveries_per_s")]
        rows.append(row)
    text = script_head(file, 760, 380) + block("costs", rows)
    text += "set multiplot layout 1,2 margins 0.11,0.97,0.17,0.83 spacing 0.12,0.1\n"
    text += "set logscale xy\nset xlabel 'subscribers'\nset xtics (1, 10, 100)\nset xrange [0.8:125]\n"
    names = (("stock", RED), ("engine zmq", GREEN), ("engine native", BLUE))
    text += "set title 'CPU of the path for a delivery'\nset format y '%.0s %cs'\n"
    text += legend([(t, c, False) for t, c in names], 760, 0.96)
    text += lines_of([("costs", f"(${2 * i + 2}*1e-9)", c, False) for i, (_, c) in enumerate(names)])
    text += "set title 'Deliveries a second'\nset format y '%.0s%c'\n" + NO_LEGEND
    text += lines_of([("costs", 2 * i + 3, c, False) for i, (_, c) in enumerate(names)])
    return text + "unset multiplot\n"


SCRIPTS = {"poll": poll, "connect": connect, "roundtrip": roundtrip, "fanout": fanout,
           "batching": batching, "costs": costs}


def two_faced(svg):
    """Puts rules for the dark into an SVG of gnuplot."""
    rules = []
    for light, dark in FACES.items():
        parts = [int(light[i:i + 2], 16) for i in (1, 3, 5)]
        written = {light, light.upper(), "rgb({}, {}, {})".format(*parts),
                   "rgb({:3d}, {:3d}, {:3d})".format(*parts),
                   "rgb({},{},{})".format(*parts)}
        for attribute in ("stroke", "fill", "color"):
            found = [w for w in written if re.search(rf"{attribute}\s*=\s*['\"]{re.escape(w)}['\"]", svg)]
            rules += [f'[{attribute}="{w}"]{{{attribute}:{dark}}}' for w in sorted(found)]
    style = "<style>@media (prefers-color-scheme:dark){" + "".join(rules) + "}</style>"
    return re.sub(r"(<svg[^>]*>)", lambda m: m.group(1) + "\n" + style, svg, count=1)


def draw(results, experiments, folder):
    """The files made; none without gnuplot."""
    gnuplot = shutil.which("gnuplot")
    if gnuplot is None:
        return []
    made = []
    for experiment in experiments:
        file = folder / f"{experiment.name}.svg"
        done = subprocess.run([gnuplot], input=SCRIPTS[experiment.name](results, file), text=True,
                              capture_output=True, check=False, timeout=60)
        if done.returncode != 0 or not file.exists():
            raise RuntimeError(f"gnuplot, {file.name}: {done.stderr}")
        file.write_text(two_faced(file.read_text(encoding="utf-8")), encoding="utf-8")
        made.append(file.name)
    return made
