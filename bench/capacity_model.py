# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of a tree of proxies, from unit costs measured on one machine.

A proxy that passes `rate` messages a second of `size` bytes to `fan_out` peers, each of which wants
the share `match` of them, uses in CPU time a second

    rate * (message + byte * size)                                   every message once
  + bursts * wake                                                    each time it wakes
  + fan_out * match * rate * (delivery + delivery_byte * size)       every delivery
  + fan_out * peer_bursts * write                                    every write of its own
  + rate * (receive + receive_byte * size)                           every message that comes by tcp
  + arrivals * read + bursts * signal                                every read, every wake of the loop

where a burst is what comes together within `coalesce` seconds: bursts = min(rate, 1 / coalesce),
and a peer's are min(rate * match, bursts). In a flood the writes melt into one for many messages;
without coalescing each delivery is a write. What arrives at the root comes as its sources send it,
`together` at a time; what arrives below comes as the level above writes it, a burst at a time.
The first four are the forwarding path's (bench/experiments/run); the last two are those of libzmq's
I/O thread on a source that is not in the same process (bench/capacity-check), 0 where not measured.
"""

import dataclasses
import math

HEADER = 2  # of a message on the wire; 9 from 256 bytes on
SEGMENT = 1448  # payload of an Ethernet frame with TCP/IPv4 and time stamps
FRAMING = 78 + 12  # what such a frame adds: preamble, Ethernet, IPv4, TCP, checksum, gap


class Infeasible(ValueError):
    """One proxy cannot even take what comes in."""


@dataclasses.dataclass(frozen=True)
class Costs:
    """Nanoseconds of the forwarding path, and the microseconds of one hop without waiting."""
    message_ns: float
    byte_ns: float
    delivery_ns: float
    delivery_byte_ns: float
    wake_ns: float
    write_ns: float
    hop_us: float
    read_ns: float = 0.0
    signal_ns: float = 0.0
    receive_ns: float = 0.0
    receive_byte_ns: float = 0.0

    @staticmethod
    def of(values):
        fields = dataclasses.fields(Costs)
        missing = [field.name for field in fields
                   if field.name not in values and field.default is dataclasses.MISSING]
        if missing:
            raise ValueError("costs are missing: " + ", ".join(missing)
                             + " (a whole run of bench/experiments/run has them)")
        return Costs(**{field.name: values[field.name] for field in fields if field.name in values})


@dataclasses.dataclass(frozen=True)
class Load:
    subscribers: int
    rate: float  # messages a second of all sources together
    size: int
    fan_in: int = 1  # connections that the root takes them from
    match: float = 1.0  # the share of them that one subscriber wants
    coalesce: float = 0.001  # seconds
    together: float = 1.0  # messages that a source sends at a time


@dataclasses.dataclass(frozen=True)
class Machine:
    """What one proxy may use up."""
    cpu: float = 0.6  # of a core: the forwarding path is one thread
    network: float = 10e9 * 0.7  # bits a second, in each direction
    peers: int = 10_000


@dataclasses.dataclass(frozen=True)
class Level:
    proxies: int
    fan_out: int  # of the fullest
    cpu: float  # cores, each
    bits_in: float
    bits_out: float
    first_us: float
    last_us: float
    bound: str


def bursts(load, rate):
    return min(rate, 1 / load.coalesce) if load.coalesce > 0 else rate


def fixed_cpu(costs, load, root=True):
    """Cores, whoever listens."""
    each = load.rate * (costs.message_ns + costs.byte_ns * load.size)
    return (each + bursts(load, load.rate) * costs.wake_ns) / 1e9 + receive_cpu(costs, load, root)


def receive_cpu(costs, load, root):
    """Cores of libzmq's I/O thread for what comes in."""
    arrivals = load.rate / load.together if root else bursts(load, load.rate)
    each = load.rate * (costs.receive_ns + costs.receive_byte_ns * load.size)
    return (each + arrivals * costs.read_ns + bursts(load, arrivals) * costs.signal_ns) / 1e9


def peer_cpu(costs, load, match):
    """Cores for each peer."""
    rate = load.rate * match
    each = rate * (costs.delivery_ns + costs.delivery_byte_ns * load.size)
    return (each + min(rate, bursts(load, load.rate)) * costs.write_ns) / 1e9


def wire_bits(load, match):
    """Bits a second of one connection, with the frames around them."""
    rate = load.rate * match
    if rate == 0:
        return 0.0
    writes = min(rate, bursts(load, load.rate))
    payload = rate / writes * (load.size + (HEADER if load.size < 256 else 9))
    return 8 * writes * (payload + FRAMING * math.ceil(payload / SEGMENT))


def largest_fan_out(costs, load, machine, match, root=True):
    """How many peers one proxy can serve, and what keeps it from more."""
    room = machine.cpu - fixed_cpu(costs, load, root)
    if room <= 0:
        raise Infeasible(f"{load.rate:,.0f} messages a second of {load.size} bytes take "
                         f"{fixed_cpu(costs, load, root):.2f} of a core in every proxy, before any "
                         "delivery: split the topics over several trees")
    limits = {"CPU": room / peer_cpu(costs, load, match),
              "network": machine.network / wire_bits(load, match), "peers": machine.peers}
    bound = min(limits, key=limits.get)
    fan_out = int(limits[bound])
    if fan_out < 1:
        raise Infeasible(f"{bound} does not allow one peer: split the topics over several trees")
    return fan_out, bound


def level(costs, load, machine, match, children):
    most, bound = largest_fan_out(costs, load, machine, match)
    root = children <= most
    if not root:
        most, bound = largest_fan_out(costs, load, machine, match, root)
    proxies = 1 if root else max(2, math.ceil(children / most))
    fan_out = math.ceil(children / proxies)
    each = peer_cpu(costs, load, match)
    # A burst is written to one peer after the other.
    spread = fan_out * each / bursts(load, load.rate) * 1e6
    first = costs.hop_us + load.coalesce * 1e6
    return Level(proxies, fan_out, fixed_cpu(costs, load, root) + fan_out * each,
                 wire_bits(load, 1.0), fan_out * wire_bits(load, match), first, first + spread,
                 bound if proxies > 1 else "")


def tree(costs, load, machine):
    """The levels from the root to the leaves. Inner proxies take everything: with many subscribers
    behind them there is somebody for each message."""
    levels = [level(costs, load, machine, load.match, load.subscribers)]
    while levels[0].proxies > 1:
        children = levels[0].proxies
        levels.insert(0, level(costs, load, machine, 1.0, children))
        if levels[0].proxies >= children:
            raise Infeasible("a proxy can feed one other only: split the topics over several trees")
    if load.fan_in > machine.peers:
        raise Infeasible(f"{load.fan_in} sources are more than one proxy may have peers")
    return levels
