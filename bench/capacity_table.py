# SPDX-License-Identifier: Apache-2.0
"""A tree of proxies as Markdown."""


def gigabits(bits):
    return f"{bits / 1e9:,.2f}" if bits < 1e10 else f"{bits / 1e9:,.0f}"


def describe(levels, load):
    lines = ["| level | proxies | peers each | CPU each, cores | in, Gbit/s | out, Gbit/s "
             "| added latency, first / last peer | bound by |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"]
    for index, item in enumerate(levels):
        name = "leaves" if index == len(levels) - 1 else "root" if index == 0 else f"{index}"
        lines.append(f"| {name} | {item.proxies:,} | {item.fan_out:,} | {item.cpu:.2f} "
                     f"| {gigabits(item.bits_in)} | {gigabits(item.bits_out)} "
                     f"| {item.first_us / 1e3:.2f} / {item.last_us / 1e3:.2f} ms | {item.bound} |")
    proxies = sum(item.proxies for item in levels)
    cores = sum(item.proxies * item.cpu for item in levels)
    out = sum(item.proxies * item.bits_out for item in levels)
    lines += ["", f"{len(levels)} levels, {proxies:,} proxies, {cores:,.0f} cores, "
              f"{gigabits(out)} Gbit/s sent in all, of which {gigabits(levels[-1].proxies * levels[-1].bits_out)} "
              f"to the {load.subscribers:,} subscribers; added latency "
              f"{sum(i.first_us for i in levels) / 1e3:.1f} ms for the first subscriber, "
              f"{sum(i.last_us for i in levels) / 1e3:.1f} ms for the last."]
    return "\n".join(lines)


def headline(engine, load, machine):
    return (f"Engine {engine}, {load.subscribers:,} subscribers, {load.rate:,.0f} messages/s of "
            f"{load.size} bytes from {load.fan_in} sources, coalesce_delay {load.coalesce * 1e3:g} ms; "
            f"at most {machine.cpu:g} cores, {machine.network / 1e9:g} Gbit/s and {machine.peers:,} "
            "peers a proxy:")
