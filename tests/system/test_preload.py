# SPDX-License-Identifier: Apache-2.0
"""Unchanged python3-zmq programs under libsluice_preload.so (SLUICE_PRELOAD)."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap

import pytest

from support.wait import eventually, patience

PRELOAD = os.environ["SLUICE_PRELOAD"]

# What every program begins with. Its sockets have patience and no linger.
PROLOGUE = f"""
import os, signal, sys, threading, time
import zmq
context = zmq.Context()
def socket(kind, bind=None, connect=None):
    s = context.socket(kind)
    s.linger = 0
    s.rcvtimeo = s.sndtimeo = {int(patience() * 1000)}
    if kind == zmq.SUB: s.subscribe(b"")
    if bind: s.bind(bind)
    if connect: s.connect(connect)
    return s
"""


class Program:
    """A Python program; `preload=False` runs it over stock."""

    def __init__(self, text, preload=True, **environment):
        env = {k: v for k, v in os.environ.items() if not k.startswith("SLUICE_")}
        env.update(environment)
        if preload:
            env["LD_PRELOAD"] = PRELOAD
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROLOGUE + textwrap.dedent(text)], env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def line(self):
        return self.process.stdout.readline().strip()

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def end(self):
        """What else it wrote: (code, stdout, stderr)."""
        out, err = self.process.communicate(timeout=patience(20))
        return self.process.returncode, out, err

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture
def program():
    started = []

    def start(*args, **kwargs):
        started.append(Program(*args, **kwargs))
        return started[-1]
    yield start
    for p in started:
        p.kill()


def succeeds(program):
    code, out, err = program.end()
    assert code == 0, err
    return out, err


STEERED = """
front, back = socket(zmq.PULL, "inproc://front"), socket(zmq.PUSH, "inproc://back")
control, steer = socket(zmq.PAIR, "inproc://control"), socket(zmq.PAIR, connect="inproc://control")
result = []
thread = threading.Thread(target=lambda: result.append(
    zmq.proxy_steerable(front, back, None, control)))
thread.start()
def ask(text):
    steer.send_string(text)
    return steer.recv_string()
"""
END = """
steer.send(b"TERMINATE")
thread.join()
"""


def test_proxy_steerable_is_ours(program):
    out, err = succeeds(program(STEERED + """
source, target = socket(zmq.PUSH, connect="inproc://front"), socket(zmq.PULL, connect="inproc://back")
source.send_multipart([b"a", b"b"])
print(target.recv_multipart(), ask("PING"), ask("nonsense"), ask("GET inbound_poll_rate"))
""" + END))
    assert out.startswith("[b'a', b'b'] OK ERR ") and out.endswith("OK 1000\n")
    assert err == ""


def test_knobs_come_from_the_environment(program):
    out, err = succeeds(program(STEERED + """
print(*[ask("GET " + k) for k in ("inbound_poll_rate", "max_command_delay", "coalesce_delay")])
""" + END, SLUICE_INBOUND_POLL_RATE="5k", SLUICE_MAX_COMMAND_DELAY="250us",
        SLUICE_COALESCE_DELAY="2ms"))
    assert out == "OK 5000 OK 250us OK 2ms\n"
    assert err == ""


def test_bad_values_are_said_once_and_ignored(program):
    out, err = succeeds(program(STEERED + """
print(ask("GET inbound_poll_rate"), ask("GET coalesce_delay"))
""" + END + STEERED.replace("//", "//again-") + END,
        SLUICE_INBOUND_POLL_RATE="lots", SLUICE_COALESCE_DELAY="1h", SLUICE_MAX_TOPIC="0",
        SLUICE_ON_SIGNAL="jump"))
    assert out == "OK 1000 OK 0\n"
    lines = err.splitlines()
    assert len(lines) == 4, err
    assert all(line.startswith("libsluice_preload: SLUICE_") and " is ignored: " in line
               for line in lines), err


@pytest.mark.parametrize("front, back", [("XSUB", "XPUB"), ("XPUB", "XSUB"), ("SUB", "PUB")])
def test_proxy_forwards_publishers(program, front, back):
    out, _ = succeeds(program(f"""
        front, back = socket(zmq.{front}, "inproc://front"), socket(zmq.{back}, "inproc://back")
        names = ["inproc://front", "inproc://back"]
        if "{front}" == "XPUB": names.reverse()
        threading.Thread(target=zmq.proxy, args=(front, back), daemon=True).start()
        source, target = socket(zmq.XPUB, connect=names[0]), socket(zmq.SUB, connect=names[1])
        assert source.recv() == b"\\1"
        while not target.poll(20): source.send(b"probe")  # a PUB does not tell who is there
        source.send(b"last")
        while target.recv() != b"last": pass
        for i in range(1000): source.send_multipart([b"t", b"%d" % i])
        for i in range(1000): assert target.recv_multipart() == [b"t", b"%d" % i]
        print("all", flush=True)
        os._exit(0)
        """))
    assert out == "all\n"


def test_device_queue_and_streamer(program):
    out, _ = succeeds(program("""
        from zmq import devices
        d = devices.ThreadDevice(zmq.QUEUE, zmq.ROUTER, zmq.DEALER)
        d.context_factory = lambda: context
        d.bind_in("inproc://front"); d.bind_out("inproc://back"); d.start()
        client, server = socket(zmq.REQ, connect="inproc://front"), socket(zmq.REP, connect="inproc://back")
        for i in range(500):
            client.send(b"%d" % i); assert server.recv() == b"%d" % i
            server.send(b"r"); assert client.recv() == b"r"
        print("all", flush=True)
        os._exit(0)
        """))
    assert out == "all\n"


IDLE = """
front, back = socket(zmq.PULL, "inproc://front"), socket(zmq.PUSH, "inproc://back")
print("ready", flush=True)
try:
    zmq.proxy(front, back)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)
"""


def test_control_c_while_idle(program):
    p = program(IDLE)
    assert p.line() == "ready"
    eventually(lambda: open(f"/proc/{p.process.pid}/wchan").read() not in ("", "0"))
    p.interrupt()
    assert p.line() == "interrupted"


# Data all the time: stock does not notice here. No other thread of the program may take the signal:
# to the one that has, it has been handled.
def test_control_c_under_flood(program):
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        front, back = (f"ipc://{directory}/{name}" for name in ("front", "back"))
        p = program(f"""
            front, back = socket(zmq.PULL, "{front}"), socket(zmq.PUSH, "{back}")
            print("ready", flush=True)
            try:
                zmq.proxy(front, back)
            except KeyboardInterrupt:
                print("interrupted", flush=True)
                os._exit(0)
            """)
        assert p.line() == "ready"
        flood = program(f"""
            s = socket(zmq.PUSH, connect="{front}")
            print("flood", flush=True)
            while True: s.send(b"x" * 10)
            """, preload=False)
        target = program(f"""
            s = socket(zmq.PULL, connect="{back}")
            print("target", flush=True)
            while True: s.recv()
            """, preload=False)
        assert flood.line() == "flood" and target.line() == "target"
        eventually(lambda: int(open(f"/proc/{p.process.pid}/stat").read().split()[13]) > 20)
        p.interrupt()
        assert p.line() == "interrupted"


def test_continue_on_signal(program):
    p = program(STEERED.replace("thread.start()", "") + """
def work():
    for _ in range(50):
        os.kill(os.getpid(), signal.SIGUSR1)
        assert ask("PING") == "OK"
    steer.send(b"TERMINATE")
signal.signal(signal.SIGUSR1, lambda *_: None)
threading.Thread(target=work).start()
print(zmq.backend.proxy_steerable(front, back, None, control))
""", SLUICE_ON_SIGNAL="continue")
    out, err = succeeds(p)
    assert out == "0\n", err


# A copy of libzmq of its own, as a wheel brings it: served by that copy's own proxy.
def test_sockets_of_another_copy_of_libzmq(program):
    found = next(line.split()[-1] for line in subprocess.run(
        ["/usr/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout.splitlines()
        if "libzmq.so.5" in line)
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        copy = os.path.join(directory, "libzmq-own.so")
        shutil.copy(found, copy)
        out, err = succeeds(program(f"""
            import ctypes
            own = ctypes.CDLL({copy!r}, mode=os.RTLD_LOCAL | os.RTLD_NOW | os.RTLD_DEEPBIND)
            preload = ctypes.CDLL(None)
            for f in (own.zmq_ctx_new, own.zmq_socket): f.restype = ctypes.c_void_p
            p = ctypes.c_void_p
            c = own.zmq_ctx_new()
            def make(kind, name):
                s = own.zmq_socket(p(c), kind)
                assert own.zmq_bind(p(s), name) == 0
                return s
            a, b = make(zmq.PULL, b"inproc://a"), make(zmq.PUSH, b"inproc://b")
            threading.Timer(0.2, lambda: own.zmq_ctx_shutdown(p(c))).start()
            own.zmq_errno.restype = ctypes.c_int
            for _ in range(3): print(preload.zmq_proxy(p(a), p(b), None))
            """))
    assert out == "-1\n-1\n-1\n"
    assert err == "libsluice_preload: this program uses another copy of libzmq: " \
                  "its own proxy serves it\n"


def test_programs_without_a_proxy_see_nothing(program):
    out, err = succeeds(program("print(zmq.zmq_version())", SLUICE_INBOUND_POLL_RATE="lots"))
    assert err == "" and out


def test_only_the_proxies_and_the_wrappers_are_shown():
    shown = subprocess.run(["nm", "-D", "--defined-only", PRELOAD], capture_output=True, text=True,
                           check=True).stdout
    names = {line.split()[-1] for line in shown.splitlines()}
    assert {"zmq_proxy", "zmq_proxy_steerable", "zmq_device"} <= names
    assert not [n for n in names if n.startswith(("_Z", "sluice_proxy"))]


# The same descriptors that stock would have, and one in reserve.
def test_descriptor_limit_sheds_connections(program):
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        path = os.path.join(directory, "in")
        p = program(f"""
            import resource
            front, back = socket(zmq.PULL, "ipc://{path}"), socket(zmq.PUSH, "inproc://back")
            target = socket(zmq.PULL, connect="inproc://back")
            threading.Thread(target=zmq.proxy, args=(front, back), daemon=True).start()
            first = socket(zmq.PUSH, connect="ipc://{path}")
            first.send(b"first"); assert target.recv() == b"first"
            free = os.open("/dev/null", os.O_RDONLY)
            os.close(free)
            resource.setrlimit(resource.RLIMIT_NOFILE, (free, 4096))
            print("full", flush=True)
            sys.stdin.readline()
            first.send(b"second"); assert target.recv() == b"second"
            print("stands", flush=True)
            os._exit(0)
            """)
        assert p.line() == "full"
        import socket
        for _ in range(50):
            s = socket.socket(socket.AF_UNIX)
            s.connect(path)
            s.settimeout(patience())
            try:
                assert s.recv(100) == b""
            except ConnectionError:
                pass
            s.close()
        p.process.stdin.write("\n")
        p.process.stdin.flush()
        assert p.line() == "stands"
