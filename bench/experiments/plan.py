# SPDX-License-Identifier: Apache-2.0
"""What is run: each experiment as a regular expression over the names of sluice-bench."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    pattern: str
    seconds: float  # of one load
    published: str  # what the publication found


EXPERIMENTS = [
    Experiment(
        "poll", "Poll overhead and the knobs",
        r"^command_latency/", 2.0,
        "ZeroMQ mailing list, 2019, libzmq 4.3.1: a steerable proxy that polls before every message "
        "passes 120,000 messages a second, and 230,000 with the polls throttled to one in 10,000 "
        "messages. It was asked whether that is safe and what it costs."),
    Experiment(
        "connect", "Connect to first message: TCP, UNIX sockets, abstract UNIX sockets",
        r"^connect/", 0.6,
        "MQTT C client, 2025: create, connect, publish 1 kB, disconnect takes 11.8 ms over TCP (of "
        "which connect 10.7 ms) and 1.4 ms over a UNIX socket. The wire answered in 0.093 ms: the "
        "10 ms were a poll interval that ran out."),
    Experiment(
        "roundtrip", "1000 round trips: TCP, UNIX sockets, abstract UNIX sockets",
        r"^roundtrip/", 1.5,
        "Web server list, 2022: 1000 sequential backend calls take 0.122 s over localhost TCP and "
        "0.078 s over an abstract UNIX socket, a ratio of 0.64."),
    Experiment(
        "fanout", "Fan-out: the first and the last of N listeners",
        r"^fanout/(stock|zmq|native|loop|multicast)/latency/", 0.8,
        "Kernel list, 2003, first..last of 100 listeners in microseconds: 44 bytes by a loop over "
        "sockets 76..3000, by kernel multicast 362..3425; 40,036 bytes 309..23107 and 697..17061."),
    Experiment(
        "batching", "Write batching and Nagle's algorithm, 24-byte messages",
        r"^batching/", 1.0,
        "AMQP .NET client, 2009, 10,000 publishes of 24 characters: unbuffered writes of each field "
        "7248 ms, buffered 1391 ms, buffered with Nagle's algorithm 676 ms, Nagle alone 1136 ms."),
    Experiment(
        "costs", "What a message, a delivery, a byte and a wake cost",
        r"^(throughput/(stock|zmq|native)/sources:4/size:1000?/subs:1/manual_time"
        r"|trickle/(stock|zmq|native)/sources:4/rate:10000?/even"
        r"|fanout/(stock|zmq|native)/flood/)", 2.0,
        ""),
]
