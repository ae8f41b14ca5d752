# SPDX-License-Identifier: Apache-2.0
"""`sluice load` through the sidecar, beside other sockets, and its exit codes."""
import csv
import io
import json
import os
import pty
import signal
import subprocess
import time

import pytest
import zmq

from support.sidecar import BINARY, environment, run
from support.wait import eventually, patience

WAIT = ["--wait", f"{int(patience(20))}s"]


def load(*args, timeout=60):
    return run("load", *args, *WAIT, timeout=patience(timeout))


def test_everything_through_the_sidecar(basic):
    sidecar = basic(policy="block")
    done = load("-p", sidecar.source, "-s", sidecar.ipc, "--publishers", "3",
                "--subscribers", "4", "--rate", "20k", "--count", "5k", "--topics", "eur,usd",
                "--json", "--fail-on-loss")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["sent_messages"] == 5000 and report["unsent_messages"] == 0
    assert report["received_messages"] == report["expected_messages"] == 20_000
    assert report["fewest_received"] == 5000
    assert set(report["latency_us"]) == {"p50", "p90", "p99", "p999", "max"}
    assert done.stderr == ""  # no terminal, no bar


def test_one_sink_has_each_message_once(basic):
    sidecar = basic(policy="block")
    done = load("-p", sidecar.source, "-s", sidecar.tcp, "--publishers", "2", "--subscribers", "3",
                "--rate", "0", "--count", "30k", "--frames", "2", "--fail-on-loss", "--csv")
    assert done.returncode == 0, done.stdout + done.stderr
    row = next(csv.DictReader(io.StringIO(done.stdout)))
    assert int(row["received_messages"]) == int(row["expected_messages"]) == 90_000
    assert row["lost_messages"] == row["out_of_order_messages"] == "0"
    assert sidecar.route()["frontend"]["received_messages"] >= 30_000  # probes too


def test_a_subscriber_alone_hears_the_generators(scratch, port, sidecar):
    sidecar(f"[generator g]\nrate = 2k\ntopics = a,b\nframes = 2\n"
            f"[sink k]\nbind = tcp://127.0.0.1:{port}\n")
    done = load("-s", f"tcp://127.0.0.1:{port}", "--count", "1000", "--json", "--fail-on-loss")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["received_messages"] >= 1000 and report["expected_messages"] is None
    assert report["lost_messages"] == report["out_of_order_messages"] == 0
    assert report["latency_us"]["p50"] > 0


def test_messages_of_others_are_counted_as_such(port):
    context = zmq.Context()
    with context.socket(zmq.XPUB) as socket:
        socket.bind(f"tcp://127.0.0.1:{port}")
        process = subprocess.Popen([BINARY, "load", "-s", f"tcp://127.0.0.1:{port}", "--json",
                                    "--for", "1s", "--wait", "60s"],
                                   stdout=subprocess.PIPE, text=True, env=environment())
        assert socket.poll(patience() * 1000) and socket.recv() == b"\x01"
        # The wait for the other side ends with a message of a load: number 0 of somebody.
        body = b"load" + (7).to_bytes(8, "little") + bytes(8) + time.time_ns().to_bytes(8, "little")
        socket.send(body)
        for text in (b"short", b"long enough but not one of ours: no time in it"):
            socket.send(text)
        out, _ = process.communicate(timeout=patience(60))
        report = json.loads(out)
        assert report["received_messages"] == 1 and report["foreign_messages"] == 2
    context.destroy(linger=0)


def test_loss_is_an_exit_code_where_asked(port):
    endpoint = f"tcp://127.0.0.1:{port}"
    args = ["-p", "@" + endpoint, "-s", endpoint, "--rate", "0", "--count", "20k", "--size", "20k",
            "--hwm", "1", "--on-full", "drop", "--json"]
    done = load(*args)
    assert done.returncode == 0 and json.loads(done.stdout)["lost_messages"] > 0, done.stdout
    assert load(*args, "--fail-on-loss").returncode == 1


@pytest.mark.parametrize("args", [["-p"], ["-s"]])
def test_nobody_there_is_69(port, args):
    done = run("load", *args, f"tcp://127.0.0.1:{port}", "--wait", "100ms")
    assert done.returncode == 69 and "within 100 ms" in done.stderr and done.stdout == ""


@pytest.mark.parametrize("args, hint", [
    ([], "--publish"), (["-p", "nonsense"], "tcp://host:port"),
    (["-p", "tcp://127.0.0.1:1", "--rate", "x"], "--rate"),
    (["-p", "tcp://127.0.0.1:1", "--subscriber", "2"], "did you mean --subscribe")])
def test_usage(args, hint):
    done = run("load", *args)
    assert done.returncode == 64 and hint in done.stderr, done.stderr


def test_an_endpoint_in_use_is_1(port):
    context = zmq.Context()
    with context.socket(zmq.PUB) as socket:
        socket.bind(f"tcp://127.0.0.1:{port}")
        done = run("load", "-p", f"@tcp://127.0.0.1:{port}")
        assert done.returncode == 1 and "in use" in done.stderr.lower(), done.stderr
    context.destroy(linger=0)


def test_a_signal_ends_it_with_its_report(port):
    endpoint = f"tcp://127.0.0.1:{port}"
    process = subprocess.Popen([BINARY, "load", "-p", "@" + endpoint, "--for", "10m", "--json",
                                "--wait", "60s"], stdout=subprocess.PIPE, text=True,
                               env=environment())
    context = zmq.Context()
    with context.socket(zmq.SUB) as socket:
        socket.subscribe(b"")
        socket.connect(endpoint)
        assert socket.poll(patience(20) * 1000)  # the load runs
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=patience(30))
    context.destroy(linger=0)
    assert process.returncode == 0
    report = json.loads(out)
    assert report["interrupted"] and report["sent_messages"] > 0


def test_a_bar_on_a_terminal_only(port):
    endpoint = f"tcp://127.0.0.1:{port}"
    ours, theirs = pty.openpty()
    process = subprocess.Popen([BINARY, "load", "-p", "@" + endpoint, "-s", endpoint, "--for", "1s",
                                *WAIT], stdout=subprocess.PIPE, stderr=theirs, env=environment())
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 65536):
            shown += chunk
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    process.communicate(timeout=patience(30))
    assert process.returncode == 0
    assert b"%" in shown and b"#" in shown
    assert shown.endswith(b"\r\x1b[K")
