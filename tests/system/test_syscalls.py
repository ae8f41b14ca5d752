# SPDX-License-Identifier: Apache-2.0
"""The system-call counter of the sidecar, proven from outside: kind by kind against strace, and in
total against the kernel's own tracepoint. Agreement is within 2 % or 50 calls."""
import collections
import ctypes
import os
import re
import signal
import struct
import time

import pytest

from support.wait import eventually, patience

MESSAGES = 20_000
# Names that the counter does not know: made inside the C library or by number.
UNLISTED = "unlisted"


def role_of(pid, thread):
    with open(f"/proc/{pid}/task/{thread}/comm", encoding="ascii") as file:
        name = file.read()
    return "forwarding" if name.startswith("sl/") else "io" if name.startswith("ZMQbg") else "other"


def threads(pid):
    """Roles by thread id."""
    return {int(thread): role_of(pid, thread) for thread in os.listdir(f"/proc/{pid}/task")}


def near(counted, seen):
    return abs(counted - seen) <= max(50, 0.02 * seen)


def pass_messages(sidecar, publisher, subscriber):
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    writer.subscribed(b"", timeout=patience(60))
    writer.send(MESSAGES, size=100, rate=20_000, timeout=patience(120))
    reader.expect(MESSAGES, timeout=patience(120))


def settled_counts(sidecar):
    """The counters once the forwarding and I/O threads rest; the asking itself costs few calls."""
    last = [None]

    def same():
        time.sleep(0.15)  # a status is at most 100 ms old: let the last one age
        now = sidecar.status()["syscalls"]
        total = sum(now["forwarding"].values())
        still = last[0] is not None and total - last[0] < 20
        last[0] = total
        return now if still else None
    return eventually(same, timeout=patience(60), what="counters at rest")


def read_trace(path, roles):
    """Calls by role and kernel name, of lines "TID name(arguments) = result" of strace -f."""
    calls = collections.defaultdict(collections.Counter)
    line = re.compile(r"(\d+) +([a-z_0-9]+)\(")
    with open(path, encoding="utf-8", errors="replace") as file:
        for match in filter(None, map(line.match, file)):
            role = roles.get(int(match[1]))
            if role:
                calls[role][match[2]] += 1
    return calls


def test_every_kind_agrees_with_an_outside_trace(basic, publisher, subscriber, scratch, cleanup):
    path = f"{scratch}/strace"
    sidecar = basic(wrapper=("strace", "-f", "-qq", "-o", path), ready=False)
    sidecar.wait_log(r"\bready\b", timeout=patience(60))
    with open(f"/proc/{sidecar.pid}/task/{sidecar.pid}/children", encoding="ascii") as file:
        pid = int(file.read().split()[0])
    # It would outlive a strace that is killed.
    cleanup.callback(lambda: os.path.exists(f"/proc/{pid}") and os.kill(pid, signal.SIGKILL))
    pass_messages(sidecar, publisher, subscriber)
    roles = threads(pid)
    counted = settled_counts(sidecar)
    os.kill(pid, signal.SIGKILL)  # nothing more is called
    sidecar.wait(patience(30))
    seen = read_trace(path, roles)
    wrong = []
    for role in ("forwarding", "io"):
        assert sum(counted[role].values()) > 200, f"{role}: {counted[role]}"
        for kind, count in counted[role].items():
            if kind != UNLISTED and not near(count, seen[role][kind]):
                wrong.append(f"{role} {kind}: counted {count}, traced {seen[role][kind]}")
    assert not wrong, wrong
    assert counted["other"], "the control thread answers"


def tracepoint():
    """The number of raw_syscalls:sys_enter; nothing where the kernel shows none."""
    for folder in ("/sys/kernel/tracing", "/sys/kernel/debug/tracing"):
        try:
            with open(f"{folder}/events/raw_syscalls/sys_enter/id", encoding="ascii") as file:
                return int(file.read())
        except OSError:
            continue
    return None


def open_kernel_count(thread, number):
    """A descriptor that counts the system calls of a thread; raises OSError."""
    attributes = struct.pack("=IIQ", 2, 64, number).ljust(64, b"\0")  # PERF_TYPE_TRACEPOINT
    perf_event_open, close_on_exec = 298, 8
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.syscall(perf_event_open, attributes, thread, -1, -1, close_on_exec)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "perf_event_open")
    return fd


def test_totals_agree_with_the_kernel(basic, publisher, subscriber, cleanup):
    number = tracepoint()
    if number is None:
        pytest.skip("the kernel shows no tracepoint raw_syscalls:sys_enter")
    sidecar = basic()
    before = settled_counts(sidecar)
    kernel = collections.defaultdict(list)
    try:
        for thread, role in threads(sidecar.pid).items():
            kernel[role].append(open_kernel_count(thread, number))
            cleanup.callback(os.close, kernel[role][-1])
    except OSError as error:
        pytest.skip(f"the kernel does not let us count: {error}")
    pass_messages(sidecar, publisher, subscriber)
    after = settled_counts(sidecar)
    for role in ("forwarding", "io"):
        counted = sum(after[role].values()) - sum(before[role].values())
        seen = sum(struct.unpack("=Q", os.read(fd, 8))[0] for fd in kernel[role])
        print(f"{role}: counted {counted}, kernel {seen}")
        assert counted > 200
        assert near(counted, seen), f"{role}: counted {counted}, kernel {seen}"
