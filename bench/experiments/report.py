# SPDX-License-Identifier: Apache-2.0
"""The Markdown of each experiment: first the published effect on this machine, then ours."""

import costs
from results import markdown, number, rate, ratio

POLL = "command_latency/{}/sources:4/size:100{}"
RATES = (1, 10, 100, 1000, 10000)
DELAYS = (0, 100, 1000, 10000, 100000, 1000000)
TRANSPORTS = (("tcp", "tcp"), ("ipc", "ipc"), ("abstract", "abstract ipc"))
SIZES = (44, 236, 40036)
LISTENERS = (10, 20, 50, 100, 200)
FANOUT = (("loop", "loop over UNIX sockets, no ZeroMQ"), ("multicast", "kernel multicast (UDP)"),
          ("stock", "stock, tcp"), ("zmq", "engine zmq, tcp"), ("native", "engine native, tcp"))
TIMER_US = 5000  # half of the interval that the client of 2025 slept


def duration(us):
    if us == 0:
        return "0"
    for unit, size in (("s", 1000000), ("ms", 1000)):
        if us >= size:
            return f"{us // size} {unit}"
    return f"{us} us"


def poll_row(results, label, name):
    def get(counter):
        return results.get(name, counter)
    return [label, rate(get("msgs_per_s")), number(get("cpu_ns_per_msg")),
            number(get("polls_per_msg"), 4), number(get("writes_per_msg"), 4),
            number(get("command_p50_us")), number(get("command_p99_us")),
            number(get("command_max_us"))]


POLL_HEADER = ["", "messages/s", "forwarding CPU ns/msg", "polls/msg", "writes/msg",
               "command p50 us", "p99 us", "worst us"]


def poll(results):
    header = POLL_HEADER
    effect = [poll_row(results, f"one poll of all sockets every {r} messages"
                       + (" (as libzmq 4.3.1)" if r == 1 else ""),
                       POLL.format("polled", f"/poll_rate:{r}")) for r in RATES]
    effect.append(poll_row(results, "stock, the installed libzmq", POLL.format("stock", "")))
    ours = [poll_row(results, f"inbound_poll_rate {r}, max_command_delay {duration(d)}",
                     POLL.format("native", f"/poll_rate:{r}/delay_us:{d}"))
            for r in RATES for d in DELAYS]
    names = [f"/poll_rate:{r}/delay_us:1000" for r in RATES]
    names += [f"/poll_rate:1000/delay_us:{d}" for d in DELAYS if d != 1000]
    other = [poll_row(results, name[1:].replace("poll_rate:", "inbound_poll_rate ")
                      .replace("/delay_us:", ", max_command_delay us "), POLL.format("zmq", name))
             for name in names]
    first = results.get(POLL.format("polled", "/poll_rate:1"), "msgs_per_s")
    last = results.get(POLL.format("polled", "/poll_rate:10000"), "msgs_per_s")
    return "\n\n".join([
        "The effect: a proxy as libzmq 4.3.1 had it, and the same with the polls throttled.",
        markdown(header, effect),
        f"Throttled 10,000 times it passes {ratio(last, first)} times as many (published: 1.9).",
        "Ours, engine native, each look at commands against its price:", markdown(header, ours),
        "Engine zmq, one constant at a time:", markdown(header, other)])


def connect(results):
    steps = ("create", "connect", "first", "close", "total")
    header = ["", *(f"{step} p50 us" for step in steps), "total p99 us", "total worst us", "rounds"]

    def row(label, name):
        return [label, *(number(results.get(name, f"{step}_p50_us")) for step in steps),
                number(results.get(name, "total_p99_us")), number(results.get(name, "total_max_us")),
                number(results.get(name, "rounds"))]

    effect = [row(f"{text}, stock, a client that looks every 10 ms",
                  f"connect/stock/{transport}/client:timed") for transport, text in TRANSPORTS]
    parts = ["The effect: the client waits by a timer, so the transport does not matter.",
             markdown(header, effect)]
    slow = []
    for client, who in (("raw", "a plain socket"), ("zmq", "libzmq's SUB")):
        rows = []
        for transport, text in TRANSPORTS:
            for variant in ("stock", "zmq", "native", "direct"):
                name = f"connect/{variant}/{transport}/client:{client}"
                rows.append(row(f"{text}, {variant}", name))
                slow += [f"{name} {step}" for step in steps
                         if (results.get(name, f"{step}_p50_us") or 0) >= TIMER_US]
        parts += [f"The client is {who}:", markdown(header, rows)]
    parts.append("Steps whose median is a timer's length (5 ms or more): "
                 + (", ".join(slow) if slow else "none") + ".")
    return "\n\n".join(parts)


def roundtrip(results):
    header = ["", "1000 round trips ms", "of tcp", "p50 us", "p99 us", "forwarding CPU us",
              "system calls of the forwarding thread"]
    variants = (("raw", "plain sockets"), ("direct", "REQ and REP, no proxy"),
                ("stock", "zmq_proxy_steerable between"), ("call", "sluice_proxy_steerable between"))
    rows = []
    for variant, text in variants:
        base = results.get(f"roundtrip/{variant}/tcp", "thousand_ms")
        for transport, where in TRANSPORTS:
            name = f"roundtrip/{variant}/{transport}"
            cpu = results.get(name, "cpu_ns_per_round_trip")
            rows.append([f"{text}, {where}", number(results.get(name, "thousand_ms"), 1),
                         ratio(results.get(name, "thousand_ms"), base),
                         number(results.get(name, "p50_us")), number(results.get(name, "p99_us")),
                         number(cpu / 1e3 if cpu else None, 1),
                         number(results.get(name, "forwarding_syscalls_per_round_trip"), 1)])
    return markdown(header, rows)


def fanout(results):
    parts = ["First / last listener, microseconds, medians. One message at a time."]
    for size in SIZES:
        rows = []
        for variant, text in FANOUT:
            row = [text]
            for count in LISTENERS:
                name = f"fanout/{variant}/latency/size:{size}/subs:{count}"
                row.append(f"{number(results.get(name, 'first_us'))} / "
                           f"{number(results.get(name, 'last_us'))}")
            rows.append(row)
        parts += [f"{size:,} bytes:",
                  markdown(["", *(f"{count} listeners" for count in LISTENERS)], rows)]
    return "\n\n".join(parts)


def batching_names(results, prefix):
    return [name for name in results.medians if name.startswith(prefix)]


def batching_label(name):
    variant, _, rest = name.removeprefix("batching/").partition("/")
    settings = [part for part in rest.split("/")[1:] if not part.startswith("rate:")]
    texts = {"wire": "plain socket", "stock": "stock", "zmq": "engine zmq", "native": "engine native"}
    words = [texts[variant]]
    for setting in settings:
        key, _, value = setting.partition(":")
        if key == "write":
            words.append({"fields": "a write for each field", "message": "a write for each message"}
                         .get(value, f"writes of {value} bytes"))
        elif key == "out_batch":
            words.append("a write for each message" if value == "26" else f"out_batch {value}")
        elif key == "hold_us":
            words.append(f"coalesce_delay {duration(int(value))}")
        else:
            words.append("Nagle on" if value == "1" else "Nagle off")
    return ", ".join(words)


def flood_table(results):
    rows = [[batching_label(name), rate(results.get(name, "msgs_per_s")),
              number(results.get(name, "writes_per_msg"), 4),
              number(results.get(name, "process_cpu_ns_per_msg"))]
             for name in batching_names(results, "batching/") if "/flood" in name]
    return markdown(["", "messages/s", "writes/msg", "process CPU ns/msg"], rows)


def batching(results):
    paced = [[batching_label(name), number(results.get(name, "writes_per_msg"), 3),
              number(results.get(name, "path_cpu_ns_per_msg")),
              number(results.get(name, "p50_us")), number(results.get(name, "p99_us"))]
             for name in batching_names(results, "batching/") if "/paced" in name]
    return "\n\n".join([
        "As fast as possible:",
        flood_table(results),
        "At 40,000 messages a second, what each setting adds:",
        markdown(["", "writes/msg", "path CPU ns/msg", "p50 us", "p99 us"], paced)])


SECTIONS = {"poll": poll, "connect": connect, "roundtrip": roundtrip, "fanout": fanout,
            "batching": batching, "costs": costs.section}
PLOTS = {"poll": "poll.svg", "connect": "connect.svg", "roundtrip": "roundtrip.svg",
         "fanout": "fanout.svg", "batching": "batching.svg", "costs": "costs.svg"}


def report(results, experiments, date, command, plots):
    parts = ["# Experiments", f"{date}, `{command}`", results.facts()]
    for experiment in experiments:
        parts.append(f"## {experiment.title}")
        if experiment.published:
            parts.append("Published: " + experiment.published)
        if PLOTS[experiment.name] in plots:
            parts.append(f"![{experiment.title}]({PLOTS[experiment.name]})")
        parts.append(SECTIONS[experiment.name](results))
    lost = results.lost()
    if lost:
        parts.append("## Loss\n\n" + markdown(["", "lost"],
                                               [[n, number(c)] for n, c in lost.items()]))
    else:
        parts.append("No message was lost in any of the measurements.")
    if results.skipped:
        parts.append("## Skipped\n\n" + markdown(["", "why"], results.skipped.items()))
    return "\n\n".join(parts) + "\n"
