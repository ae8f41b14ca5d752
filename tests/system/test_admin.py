# SPDX-License-Identifier: Apache-2.0
"""The admin HTTP server of the real binary: metrics, health, API, limits."""
import json
import os
import socket
import threading

import pytest

from support.admin import TOKEN
from support.ports import free_port
from support.sidecar import run
from support.wait import eventually, patience

# design: the names that dashboards lean on
CONTRACT = {
    "sluice_messages_total": "counter", "sluice_bytes_total": "counter",
    "sluice_dropped_messages_total": "counter", "sluice_topics_refused_total": "counter",
    "sluice_state": "gauge", "sluice_sources": "gauge", "sluice_peers": "gauge",
    "sluice_subscriptions": "gauge", "sluice_wakes_total": "counter",
    "sluice_bursts_total": "counter", "sluice_holds_total": "counter",
    "sluice_holds_cut_total": "counter", "sluice_command_looks_total": "counter",
    "sluice_voluntary_switches_total": "counter", "sluice_loop_worst_turn_seconds": "gauge",
    "sluice_forward_cpu_seconds_total": "counter", "sluice_forward_latency_seconds": "histogram",
    "sluice_backpressure_seconds_total": "counter", "sluice_syscalls_total": "counter",
    "sluice_cpu_seconds_total": "counter", "sluice_control_commands_total": "counter",
    "sluice_control_command_seconds": "histogram",
    "sluice_config_last_reload_successful": "gauge",
    "sluice_config_last_reload_success_timestamp_seconds": "gauge",
    "sluice_config_reloads_total": "counter", "sluice_build_info": "gauge",
    "sluice_setting": "gauge", "sluice_setting_seconds": "gauge", "sluice_setting_bytes": "gauge",
    "sluice_setting_choice": "gauge", "sluice_admin_responses_total": "counter",
    "sluice_admin_connections": "gauge", "sluice_admin_refused_connections_total": "counter",
    "process_cpu_seconds_total": "counter", "process_start_time_seconds": "gauge",
    "process_resident_memory_bytes": "gauge", "process_virtual_memory_bytes": "gauge",
    "process_open_fds": "gauge", "process_max_fds": "gauge", "process_threads": "gauge",
}
OF_THE_NATIVE_ENGINE = {
    "sluice_delivered_messages_total": "counter", "sluice_queue_messages": "gauge",
    "sluice_queue_bytes": "gauge", "sluice_queue_longest_messages": "gauge",
    "sluice_queue_oldest_seconds": "gauge",
}


def test_metrics_have_the_names_that_were_promised(admin, engine, subscriber):
    sidecar, http = admin()
    subscriber(sidecar.tcp)
    sidecar.attached(edge=1)
    types = http.metrics().types
    wanted = CONTRACT | (OF_THE_NATIVE_ENGINE if engine == "native" else {})
    assert {name: types.get(name) for name in wanted} == wanted
    optional = OF_THE_NATIVE_ENGINE | {"sluice_partings_total": "counter"}
    assert not {n: t for n, t in types.items() if n not in wanted | optional}


def test_the_manual_names_every_metric(admin):
    _, http = admin()
    with open(os.path.join(os.path.dirname(__file__), "../../proxy/README.md"), encoding="utf-8") as file:
        manual = file.read()
    missing = [name for name in http.metrics().types
               if f"`{name}`" not in manual and not name.startswith("process_")]
    assert not missing


def test_metrics_agree_with_statistics_and_status(admin, publisher, subscriber):
    sidecar, http = admin()
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    sidecar.attached(edge=1)
    writer.subscribed(b"")
    writer.send(1000, size=100)
    reader.expect(1000)
    eventually(lambda: http.metrics().value("sluice_messages_total", side="backend",
                                            direction="sent") == 1000)
    metrics = http.metrics()
    numbers = iter(sidecar.statistics())
    for side in ("frontend", "backend"):
        for direction in ("received", "sent"):
            for what in ("messages", "bytes"):
                assert metrics.value(f"sluice_{what}_total", side=side, direction=direction,
                                     route="market") == next(numbers)
    assert metrics.value("sluice_state", state="running") == 1
    assert metrics.value("sluice_state", state="paused") == 0
    assert metrics.value("sluice_peers", sink="edge") == 1
    assert metrics.value("sluice_subscriptions", sink="edge") == 1
    assert metrics.value("sluice_forward_cpu_seconds_total", route="market") > 0
    assert metrics.value("sluice_forward_latency_seconds_count", route="market") > 0
    later = sidecar.status()["syscalls"]
    counted = metrics.labels("sluice_syscalls_total")
    assert {labels["thread"] for labels in counted} >= {"forwarding", "other"}
    for labels in counted:
        count = metrics.value("sluice_syscalls_total", **labels)
        assert 0 < count <= later[labels["thread"]][labels["call"]]
    parts = [metrics.value("sluice_cpu_seconds_total", thread=t)
             for t in ("forwarding", "io", "other")]
    assert all(p >= 0 for p in parts)
    assert sum(parts) == pytest.approx(metrics.value("process_cpu_seconds_total"), rel=0.2, abs=0.05)
    assert metrics.value("process_open_fds") >= 10
    assert metrics.value("process_start_time_seconds") > 1.6e9


def test_latency_counts_the_hold(admin, publisher, subscriber):
    sidecar, http = admin(route="coalesce_delay = 20ms")
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    sidecar.attached(edge=1)
    writer.subscribed(b"")
    writer.send(200, rate=500)
    reader.expect(200)
    name = "sluice_forward_latency_seconds"
    metrics = eventually(lambda: (m := http.metrics()).value(
        "sluice_messages_total", side="backend", direction="sent") == 200 and m)
    assert metrics.value(name + "_bucket", le="+Inf") == metrics.value(name + "_count") > 0
    assert metrics.value(name + "_bucket", le="0.008192") < metrics.value(name + "_count")
    assert metrics.value(name + "_sum") > 0.015


def test_a_queue_shows(admin, publisher, subscriber, engine):
    if engine == "zmq":
        return  # libzmq does not tell
    sidecar, http = admin(policy="drop", sink="send_hwm = 100\nsndbuf = 8k")
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    sidecar.attached(edge=1)
    writer.subscribed(b"")
    reader.freeze()
    writer.send(10_000_000, size=1000, wait=False)
    metrics = eventually(lambda: (m := http.metrics()).value(
        "sluice_dropped_messages_total", sink="edge", reason="queue_full") > 0 and
        m.value("sluice_queue_longest_messages", sink="edge") > 0 and m, timeout=patience(30))
    writer.kill()
    assert metrics.value("sluice_queue_longest_messages", sink="edge") <= 101
    assert metrics.value("sluice_queue_bytes", sink="edge") > 0  # a message may be half written
    assert metrics.value("sluice_queue_oldest_seconds", sink="edge") > 0
    reader.thaw()


def test_health_and_readiness(admin, subscriber, publisher):
    sidecar, http = admin(more="paused_is_ready = no\n")
    assert http.get("/healthz") == "ok\n" and http.get("/readyz") == "ready\n"
    sidecar.request("PAUSE")
    assert http.ask("GET", "/readyz")[::2] == (503, "not ready: route market is paused\n")
    assert http.get("/healthz") == "ok\n"
    sidecar.request("RESUME")
    assert http.get("/readyz") == "ready\n"


def test_not_ready_while_it_drains(admin, subscriber, publisher):
    sidecar, http = admin(policy="block", route="linger = 60s", sink="send_hwm = 10\nsndbuf = 8k")
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    sidecar.attached(edge=1)
    writer.subscribed(b"")
    reader.freeze()
    writer.send(100_000, size=1000, wait=False)
    eventually(lambda: http.metrics().value("sluice_messages_total", side="frontend",
                                            direction="received") > 0)
    sidecar.send_signal(15)
    eventually(lambda: http.ask("GET", "/readyz")[::2] ==
               (503, "not ready: route market is draining\n"))
    sidecar.send_signal(15)  # a second one: at once
    assert sidecar.wait() == 1


def test_status_is_the_control_sockets(admin):
    sidecar, http = admin()
    here, there = json.loads(http.get("/api/v1/status")), sidecar.status()
    assert here.keys() == there.keys()
    assert here["routes"][0].keys() == there["routes"][0].keys()
    assert here["routes"][0]["sinks"] == there["routes"][0]["sinks"]


def test_pause_resume_and_settings_over_http(admin, publisher, subscriber):
    sidecar, http = admin()
    assert http.post("pause", {"route": "market"}) == (200, {"ok": True, "text": ""})
    assert sidecar.state() == "paused"
    assert http.post("resume") == (200, {"ok": True, "text": ""})
    assert sidecar.state() == "running"
    key = "route.market.coalesce_delay"
    assert http.post("settings", {"key": key, "value": "2ms"}) == (
        200, {"ok": True, "text": f"{key} = 2ms"})
    assert sidecar.route()["tuning"]["coalesce_delay_us"] == 2000
    assert http.metrics().value("sluice_setting_seconds", section="route.market",
                                key="coalesce_delay") == 0.002
    status, answer = http.post("settings", {"key": key, "value": "2h"})
    assert status == 409 and "100ms" in answer["error"]
    status, answer = http.post("settings", {"key": "log.format", "value": "json"})
    assert status == 409, answer
    metrics = http.metrics()
    assert metrics.value("sluice_control_commands_total", command="set", result="refused") == 2
    assert metrics.value("sluice_control_commands_total", command="pause", result="done") == 1
    sidecar.wait_log(r"admin 127\.0\.0\.1:\d+: command SET route\.market\.coalesce_delay 2ms")
    sidecar.wait_log(r"admin 127\.0\.0\.1:\d+: command PAUSE market")


def test_reload_over_http_and_its_metrics(admin):
    sidecar, http = admin()
    began = http.metrics().value("sluice_config_last_reload_success_timestamp_seconds")
    assert began > 1.6e9 and http.metrics().value("sluice_config_last_reload_successful") == 1
    with open(sidecar.file, encoding="utf-8") as file:
        good = file.read()
    with open(sidecar.file, "w", encoding="utf-8") as file:
        file.write(good.replace("[route market]", "[route market]\nno_such_key = 1"))
    status, answer = http.post("reload")
    assert status == 409 and "no_such_key" in answer["error"]
    metrics = http.metrics()
    assert metrics.value("sluice_config_last_reload_successful") == 0
    assert metrics.value("sluice_config_reloads_total", result="failure") == 1
    assert metrics.value("sluice_config_last_reload_success_timestamp_seconds") == began
    with open(sidecar.file, "w", encoding="utf-8") as file:
        file.write(good.replace("[route market]", "[route market]\ninbound_poll_rate = 77"))
    status, answer = http.post("reload")
    assert status == 200 and "inbound_poll_rate" in answer["text"], answer
    metrics = http.metrics()
    assert metrics.value("sluice_config_last_reload_successful") == 1
    assert metrics.value("sluice_config_reloads_total", result="success") == 1
    assert metrics.value("sluice_config_last_reload_success_timestamp_seconds") >= began
    assert metrics.value("sluice_setting", section="route.market", key="inbound_poll_rate") == 77


def test_commands_of_both_ways_are_counted(admin):
    sidecar, http = admin()
    sidecar.request("PAUSE")
    http.post("pause")
    assert http.metrics().value("sluice_control_commands_total", command="pause",
                                result="done") == 2
    sidecar.request("NONSENSE")
    metrics = http.metrics()
    assert metrics.value("sluice_control_commands_total", command="unknown") == 1
    assert metrics.value("sluice_control_command_seconds_count") >= 2


def test_changes_need_the_switch_and_the_token(admin):
    sidecar, http = admin(changes=False)
    for path in ("pause", "resume", "reload", "settings"):
        status, answer = http.post(path)
        assert status == 403 and "changes = yes" in answer["error"]
    assert sidecar.state() == "running"


def test_a_wrong_token_is_refused_and_logged(admin, scratch):
    sidecar, http = admin()
    status, answer = http.post("pause", token="wrong" * 4)
    assert status == 401 and not answer["ok"]
    assert http.ask("POST", "/api/v1/pause")[0] == 401
    assert sidecar.state() == "running"
    line = sidecar.wait_log(r"admin 127\.0\.0\.1:\d+: refused POST /api/v1/pause")
    assert "wrong" not in line.replace("no right token", "") and TOKEN not in sidecar.err.text()
    with open(f"{scratch}/token", "w", encoding="ascii") as file:
        file.write("another-token-of-tests\n")
    assert http.post("pause")[0] == 401
    assert http.post("pause", token="another-token-of-tests")[0] == 200
    assert TOKEN not in http.get("/api/v1/settings")


def test_limits(admin):
    _, http = admin(more="request_timeout = 500ms\n")
    assert http.ask("GET", "/", headers={"X": "x" * 9000})[0] == 431
    assert http.ask("POST", "/api/v1/pause", body="x" * 20_000)[0] == 413
    assert http.ask("GET", "/nothing")[0] == 404
    assert http.ask("PUT", "/metrics")[0] == 405
    slow = [socket.create_connection(("127.0.0.1", http.port)) for _ in range(4)]
    for one in slow:  # each says a little, then nothing: cut after the request's time
        one.sendall(b"GET / HT")
        one.settimeout(patience())
    assert all(one.recv(100) == b"" for one in slow)
    for one in slow:
        one.close()
    eventually(lambda: http.ask("GET", "/healthz")[0] == 200)


def test_connections_over_the_limit_are_closed(admin):
    _, http = admin(more="max_connections = 2\n")
    held = [http.connect() for _ in range(2)]
    for one in held:
        one.request("GET", "/healthz")
        one.getresponse().read()
    over = socket.create_connection(("127.0.0.1", http.port))
    over.settimeout(patience())
    try:
        over.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert over.recv(100) == b""
    except ConnectionError:
        pass
    over.close()
    held[0].request("GET", "/metrics")
    text = held[0].getresponse().read().decode()
    assert "sluice_admin_refused_connections_total 1\n" in text
    assert "sluice_admin_connections 2\n" in text
    for one in held:
        one.close()


def test_scrapes_and_garbage_do_not_disturb_the_flow(admin, publisher, subscriber):
    sidecar, http = admin()
    reader, writer = subscriber(sidecar.tcp), publisher(sidecar.source)
    sidecar.attached(edge=1)
    writer.subscribed(b"")
    writer.send(20_000, wait=False)

    def noise():
        for text in (b"\0" * 100, b"GET\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", http.port)) as one:
                one.sendall(text)
        for path in ("/metrics", "/api/v1/status", "/", "/healthz"):
            http.get(path)

    threads = [threading.Thread(target=noise) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    reader.expect(20_000)
    assert reader.report()["total"] == 20_000
    sidecar.assert_alive()


def test_a_port_in_use_is_named_and_a_restart_finds_it_free(admin, basic, scratch, sidecar):
    first, http = admin()
    second = sidecar(f"[source s]\nbind = ipc://{scratch}/other.in\n[sink k]\n"
                     f"bind = ipc://{scratch}/other.out\n[admin]\nhttp = 127.0.0.1:{http.port}\n",
                     name="second", ready=False)
    assert second.wait() == 1
    assert f"http://127.0.0.1:{http.port}" in second.err.text()
    held = http.connect()
    held.request("GET", "/healthz")
    held.getresponse().read()
    assert first.stop() == 0
    first.start()
    assert http.get("/healthz") == "ok\n"
    held.close()


def test_a_token_file_that_is_not_there_stops_the_start(basic, scratch, sidecar):
    started = sidecar(f"[source s]\nbind = ipc://{scratch}/in\n[sink k]\nbind = ipc://{scratch}/out\n"
                      f"[admin]\nhttp = 127.0.0.1:{free_port()}\nchanges = yes\n"
                      f"token_file = {scratch}/missing\n", ready=False)
    assert started.wait() == 1
    assert f"{scratch}/missing: No such file or directory" in started.err.text()


def test_check_names_what_is_wrong(scratch):
    path = f"{scratch}/x.ini"
    with open(path, "w", encoding="ascii") as file:
        file.write("[source s]\nbind = ipc:///tmp/s\n[sink k]\nbind = tcp://127.0.0.1:*\n"
                   "[admin]\nhttp = example.org:1\nchanges = yes\n")
    done = run("check", "-c", path)
    assert done.returncode == 78
    assert f"{path}:6: http = example.org:1: the address is not numeric" in done.stderr
    assert f"{path}:7: changes = yes needs token_file" in done.stderr


def test_the_page_is_there(admin):
    _, http = admin(changes=False)
    status, headers, body = http.ask("GET", "/")
    assert status == 200 and headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert body.startswith("<!doctype html>") and body.rstrip().endswith("</html>")
