# SPDX-License-Identifier: Apache-2.0
"""Field reports OPS: flags and file, readiness, endpoints, log."""
import json
import os
import subprocess

from support.sidecar import run
from support.wait import FACTOR, eventually


def test_O_01_file_and_flags_give_the_same(basic, scratch):
    by_file = basic(route="inbound_poll_rate = 77\nmax_command_delay = 3ms", name="file")
    tuning = by_file.route()["tuning"]
    assert by_file.stop() == 0
    by_flag = basic("--set", "route.market.inbound_poll_rate=77",
                    "--set", "route.market.max_command_delay=3ms", name="flag")
    assert by_flag.route()["tuning"] == tuning


def test_precedence_in_the_running_process(basic):
    env = {"SLUICE_ROUTE_MARKET_INBOUND_POLL_RATE": "22", "SLUICE_ROUTE_MARKET_COALESCE_DELAY": "2ms"}
    sidecar = basic("--set", "inbound_poll_rate=33", route="inbound_poll_rate = 11", env=env)
    tuning = sidecar.route()["tuning"]
    assert tuning["inbound_poll_rate"] == 33 and tuning["coalesce_delay_us"] == 2000


def test_O_03_ready_means_connectable(basic, subscriber):
    for i in range(30 if FACTOR == 1 else 5):
        sidecar = basic(name=f"s{i}")
        import socket
        with socket.create_connection(("127.0.0.1", sidecar.port), 1), \
                socket.socket(socket.AF_UNIX) as local:
            local.connect(sidecar.ipc[len("ipc://"):])
        assert sidecar.request("PING")[0].startswith(b"OK")
        assert len(sidecar.log(r"\bready\b")) == 1
        assert sidecar.stop() == 0


def test_O_06_two_instances_do_not_collide(basic, scratch, sidecar):
    basic(name="first")
    sidecar(f"[source s]\nbind = ipc://{scratch}/second-in.sock\n[sink k]\nbind = tcp://127.0.0.1:*",
            name="second").assert_alive()


def test_O_06_nothing_listens_that_is_not_configured(scratch):
    path = os.path.join(scratch, "empty.ini")
    with open(path, "w", encoding="utf-8"):
        pass
    done = run("run", "-c", path)
    assert done.returncode == 78 and "sink" in done.stderr


def test_logs_go_to_stderr_and_data_to_stdout(basic):
    sidecar = basic()
    assert sidecar.stop() == 0
    assert sidecar.out.lines == [] and sidecar.err.lines


def test_json_log_is_one_object_a_line(basic):
    sidecar = basic(extra="[log]\nformat = json\n", ready=False)
    sidecar.wait_log("ready")
    sidecar.request(b'NO"SUCH\\WORD\n\x01')
    assert sidecar.stop() == 0
    for line in sidecar.err.lines:
        assert isinstance(json.loads(line), dict), line


def test_X_07_a_failed_start_says_why(scratch):
    path = os.path.join(scratch, "x.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"[source s]\nbind = ipc://{scratch}/s.sock\n"
                   "[sink k]\nbind = tcp://192.0.2.1:5555\n")
    done = run("run", "-c", path)
    assert done.returncode == 1 and "tcp://192.0.2.1:5555" in done.stderr


def test_X_07_a_loop_that_fails_at_run_time_says_why(basic):
    sidecar = basic()
    thread = sidecar.thread("sl/market")
    # The kernel refuses the forwarding thread's next wait, as it does when a descriptor is closed
    # behind its back.
    with subprocess.Popen(["strace", "-qq", "-o", "/dev/null", "-p", str(thread), "-e",
                           "inject=epoll_wait,epoll_pwait,epoll_pwait2:error=EBADF"]) as tracer:
        try:
            assert sidecar.wait() == 1
        finally:
            tracer.terminate()
    assert any("Bad file descriptor" in line for line in sidecar.err.lines), sidecar.err.lines


def test_descriptors_and_threads_do_not_grow_with_subscribers_that_leave(basic, subscriber):
    import zmq
    sidecar = basic()
    context = zmq.Context()

    def visit():
        with context.socket(zmq.SUB) as sub:
            sub.setsockopt(zmq.LINGER, 0)
            sub.setsockopt(zmq.SUBSCRIBE, b"")
            sub.connect(sidecar.tcp)
            sidecar.attached(edge=1)
        eventually(lambda: sidecar.sink("edge")["peers"] == 0)

    visit()
    descriptors, threads = sidecar.descriptors(), sidecar.threads()
    for _ in range(10):
        visit()
    eventually(lambda: sidecar.descriptors() <= descriptors)
    assert sidecar.threads() == threads
    context.destroy(linger=0)
