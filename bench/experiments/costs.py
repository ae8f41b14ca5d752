# SPDX-License-Identifier: Apache-2.0
"""The unit costs of the forwarding path on this machine, from measured loads.

All are CPU time of the forwarding path: the forwarding thread and libzmq's I/O threads together.
In a flood a message of `size` bytes to n matching subscribers costs

    message + byte * size + n * (delivery + delivery_byte * size)

fitted to five loads by least squares of the relative errors, no part below 0. What a message costs
more where the path sleeps before it is a wake, what looking at commands costs is a look, and what
a delivery costs more that shares its write with no other message is a write.
"""

import json

from results import markdown, number

ENGINES = (("stock", "stock"), ("zmq", "engine zmq"), ("native", "engine native"))
FLOOD = "throughput/{}/sources:4/size:{}/subs:1"
FANOUT = "fanout/{}/flood/sources:4/size:{}/subs:{}"
TRICKLE = "trickle/{}/sources:4/rate:{}/even{}"
POLL = "command_latency/{}/sources:4/size:100/poll_rate:{}/delay_us:{}"
ALONE = "fanout/{}/latency/size:44/subs:{}"
PATH = "path_cpu_ns_per_msg"


def solve(matrix, right):
    """Gauss with pivots; the matrix is square."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda r: abs(rows[r][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        if abs(rows[column][column]) < 1e-12:
            raise ValueError("the loads do not tell the costs apart")
        for r in range(size):
            if r != column:
                factor = rows[r][column] / rows[column][column]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[column])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def fit(points):
    """`points`: (size, subscribers, ns a message). The four costs by name, none below 0."""
    names = ["message_ns", "byte_ns", "delivery_ns", "delivery_byte_ns"]
    # In units of 100 bytes, so that the columns are of a size.
    columns = [[1.0, size / 100, n, n * size / 100] for size, n, _ in points]
    weights = [1 / y for _, _, y in points]
    best = None
    for bits in range(1, 16):
        used = [i for i in range(4) if bits >> i & 1]
        if len(used) > len(points):
            continue
        a = [[row[i] * w for i in used] for row, w in zip(columns, weights)]
        normal = [[sum(row[i] * row[j] for row in a) for j in range(len(used))]
                  for i in range(len(used))]
        try:
            x = solve(normal, [sum(row[i] for row in a) for i in range(len(used))])
        except ValueError:
            continue
        if min(x) < 0:
            continue
        error = sum((sum(v * row[i] for i, v in enumerate(x)) - 1) ** 2 for row in a)
        if best is None or error < best[0] - 1e-12:
            best = (error, dict(zip([names[i] for i in used], x)))
    out = {name: best[1].get(name, 0.0) for name in names}
    out["byte_ns"] /= 100
    out["delivery_byte_ns"] /= 100
    return out


def unit_costs(results, variant):
    """Nanoseconds by name; what cannot be told from the results is missing."""
    out = {}
    loads = [(100, 1, FLOOD.format(variant, 100)), (1000, 1, FLOOD.format(variant, 1000)),
             *((size, n, FANOUT.format(variant, size, n))
               for size, n in ((100, 10), (1000, 10), (100, 100)))]
    points = [(size, n, results.get(name, PATH)) for size, n, name in loads]
    points = [point for point in points if point[2]]
    if len(points) >= 4:
        out = fit(points)
        out["fit_error"] = max(abs(flood_cost(out, size, n) / y - 1) for size, n, y in points)
    small = results.get(FLOOD.format(variant, 100), PATH)
    name = TRICKLE.format(variant, 10000, "" if variant == "stock" else "/hold_us:0")
    trickle = results.get(name, PATH)
    if trickle is not None and small is not None:
        # Stock does not say how often it wakes: at this rate about once for each message.
        out["wakes_per_msg"] = ratio_of(results, name, "wakes") or 1.0
        out["wake_ns"] = max(0.0, (trickle - small) / out["wakes_per_msg"])
    if variant != "stock":
        always, rarely = (POLL.format(variant, rate, 1000) for rate in (1, 1000))
        cpu = [results.get(n, "cpu_ns_per_msg") for n in (always, rarely)]
        looks = [ratio_of(results, n, "looks") for n in (always, rarely)]
        if None not in cpu and None not in looks and looks[0] > looks[1]:
            out["look_ns"] = max(0.0, (cpu[0] - cpu[1]) / (looks[0] - looks[1]))
    # One message at a time to many: every delivery is a write of its own, and the wake is shared.
    alone = [(n, results.get(ALONE.format(variant, n), PATH)) for n in (50, 200)]
    if None not in (alone[0][1], alone[1][1]) and "delivery_ns" in out:
        each = (alone[1][1] - alone[0][1]) / (alone[1][0] - alone[0][0])
        out["write_ns"] = max(0.0, each - out["delivery_ns"] - 44 * out["delivery_byte_ns"])
    if results.get(name, "p50_us"):
        out["hop_us"] = results.get(name, "p50_us")
    return out


def flood_cost(costs, size, subscribers):
    """Nanoseconds of the path for one message."""
    return (costs["message_ns"] + costs["byte_ns"] * size
            + subscribers * (costs["delivery_ns"] + costs["delivery_byte_ns"] * size))


def ratio_of(results, name, counter):
    value, messages = results.get(name, counter), results.get(name, "messages")
    return value / messages if value is not None and messages else None


def all_costs(results):
    return {variant: unit_costs(results, variant) for variant, _ in ENGINES}


ROWS = (("message_ns", "a message, in a flood"), ("delivery_ns", "a delivery to one subscriber"),
        ("byte_ns", "a byte of a message"), ("delivery_byte_ns", "a byte of a delivery"),
        ("wake_ns", "a wake, at 4 x 10k messages/s"),
        ("look_ns", "a look at commands and the flush that comes with it"),
        ("write_ns", "a write to one subscriber"))


def unit_table(results):
    costs = all_costs(results)
    rows = [[text, *(number(costs[v].get(key), 2 if "byte" in key else 0) for v, _ in ENGINES)]
            for key, text in ROWS]
    rows.append(["how far the flood costs are from the loads at most, per cent",
                 *(number(100 * costs[v]["fit_error"] if "fit_error" in costs[v] else None, 0)
                   for v, _ in ENGINES)])
    return markdown(["CPU of the forwarding path, ns", *(text for _, text in ENGINES)], rows)


def load_table(results):
    rows = []
    for variant, text in ENGINES:
        for size in (100, 1000):
            rows.append(load_row(results, f"{text}, flood, {size} bytes, 1 subscriber",
                                 FLOOD.format(variant, size)))
        for size, count in ((100, 10), (1000, 10), (100, 100)):
            rows.append(load_row(results, f"{text}, flood, {size} bytes, {count} subscribers",
                                 FANOUT.format(variant, size, count)))
        for rate in (1000, 10000):
            for hold in ([""] if variant == "stock" else ["/hold_us:0", "/hold_us:1000"]):
                wait = ", coalesce_delay 1 ms" if hold.endswith("1000") else ""
                rows.append(load_row(results, f"{text}, 4 x {rate} messages/s{wait}",
                                     TRICKLE.format(variant, rate, hold)))
    return markdown(["", "messages/s", "path CPU ns/msg", "path CPU ns/delivery",
                     "system calls/msg", "p50 us", "p99 us"], rows)


def load_row(results, label, name):
    return [label, number(results.get(name, "msgs_per_s")), number(results.get(name, PATH)),
            number(results.get(name, "path_cpu_ns_per_delivery")),
            number(results.get(name, "syscalls_per_msg"), 3),
            number(results.get(name, "p50_us")), number(results.get(name, "p99_us"))]


def section(results):
    return "\n\n".join(["From these loads:", load_table(results), "follows:", unit_table(results)])


def save(costs, context, path):
    """What bench/capacity reads."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"machine": {key: context[key] for key in ("date", "cpu_model", "cpu_count", "kernel",
                                                             "libzmq") if key in context},
                   "costs": costs}, file, indent=1)
        file.write("\n")
