# SPDX-License-Identifier: Apache-2.0
"""`sluice tune`: takes the workload from the running proxy or from flags, recommends, writes."""
import glob
import json
import os
import signal
import subprocess

import pytest

from support.sidecar import BINARY, environment, run
from support.wait import eventually, patience

# Disconnect is a matter of one engine: half of the search.
INI = """# kept as it is
[route market]        # tuned
inbound_poll_rate = 7 # wrong

[source feed]
bind = ipc://{0}/in.sock
[sink edge]
bind = ipc://{0}/out.sock
on_full = disconnect
"""
QUICK = ["--time", "3s", "--latency-budget", "2ms"]


@pytest.fixture
def file(scratch):
    path = os.path.join(scratch, "tune.ini")
    with open(path, "w", encoding="utf-8") as out:
        out.write(INI.format(scratch))
    return path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def test_measures_recommends_and_writes(file):
    before = read(file)
    done = run("tune", "-c", file, "--rate", "5k", "--json", "--write", file, *QUICK,
               timeout=patience(120))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["workload"]["rate"] == 5000 and report["workload"]["transport"] == "ipc"
    assert {row["engine"] for row in report["holds"]} == {"native"}
    assert len(report["holds"]) >= 4 and len(report["looks"]) == 4
    for row in report["holds"]:
        assert row["cpu_ns_per_message"] > 0 and row["calls_per_message"] > 0
        assert row["p99_us"] >= row["p50_us"] > 0
    for row in report["looks"]:
        assert row["flood_messages_per_s"] > 0
        assert row["command_p99_us"] >= row["command_p50_us"] > 0
    assert any(row["pareto"] for row in report["holds"])
    # 7 is none of the values compared, so there is something to change.
    assert "route.market.inbound_poll_rate" in report["changes"]
    after = read(file)
    assert read(file + ".bak") == before and file + ".bak" in done.stderr
    kept = [line for line in before.splitlines() if "inbound_poll_rate" not in line]
    assert [line for line in after.splitlines() if line in kept] == kept
    assert run("check", "-c", file).returncode == 0
    shown = {row["key"]: row["values"] for row in json.loads(run("show", "-c", file, "--json").stdout)}
    for key, value in report["changes"].items():
        assert shown[key] == [value]


def test_takes_the_workload_of_the_running_proxy(scratch, sidecar, subscriber):
    running = sidecar(f"[generator g]\nrate = 1k\nsize = 300\n[sink k]\non_full = disconnect\n"
                      f"bind = ipc://{scratch}/k.sock\n")
    for _ in range(2):
        subscriber(f"ipc://{scratch}/k.sock")
    running.attached(k=2)
    eventually(lambda: running.route()["frontend"]["received_messages"] > 100, what="traffic")
    done = run("tune", "-c", running.file, *QUICK, timeout=patience(120))
    assert done.returncode == 0, done.stderr
    assert "the running proxy passes" in done.stdout and "of 300 bytes" in done.stdout
    assert "2 subscribers over ipc" in done.stdout
    assert "recommended for a latency budget of 2ms: engine native" in done.stdout
    assert done.stderr == ""
    running.assert_alive()


def test_a_signal_ends_it_and_nothing_is_left(file, scratch):
    process = subprocess.Popen([BINARY, "tune", "-c", file, "--rate", "1k"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True,
                               env=environment({"TMPDIR": scratch}))
    eventually(lambda: glob.glob(f"{scratch}/sluice-tune-*/*-in"), what="a sidecar of its own")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=patience(30))
    assert process.returncode == 1 and "interrupted" in err and out == ""
    assert not glob.glob(f"{scratch}/sluice-tune-*")


@pytest.mark.parametrize("args, code, hint", [
    ([], 64, "-c FILE"), (["-c", "/nonexistent"], 78, "/nonexistent"),
    (["-c", "FILE", "--route", "makret"], 64, "did you mean market"),
    (["-c", "FILE", "--rate", "0"], 64, "--rate"),
    (["-c", "FILE", "--latency-budget", "1us"], 64, "--latency-budget"),
    (["-c", "FILE", "-e", "ipc:///nonexistent/x"], 69, "no answer")])
def test_wrong_words(file, args, code, hint):
    done = run("tune", *(file if arg == "FILE" else arg for arg in args))
    assert done.returncode == code and hint in done.stderr, done.stderr
