# SPDX-License-Identifier: Apache-2.0
"""The dashboard and the rules ask for metrics that there are."""
import json
import pathlib
import re
import shutil
import subprocess

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
METRICS = ROOT / "docker/metrics"
KNOWN = set("""
sluice_messages_total sluice_bytes_total sluice_dropped_messages_total sluice_state sluice_peers
sluice_subscriptions sluice_wakes_total sluice_holds_total sluice_holds_cut_total
sluice_command_looks_total sluice_loop_worst_turn_seconds sluice_forward_cpu_seconds_total
sluice_forward_latency_seconds sluice_backpressure_seconds_total sluice_syscalls_total
sluice_control_commands_total sluice_config_last_reload_successful
sluice_config_last_reload_success_timestamp_seconds sluice_build_info
""".split())


def names(text):
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\bsluice_\w+", text)}


def test_the_dashboard_asks_for_known_metrics():
    board = json.loads((METRICS / "dashboard.json").read_text(encoding="utf-8"))
    asked = [t["expr"] for panel in board["panels"] for t in panel["targets"]]
    assert len(asked) >= len(board["panels"]) >= 10
    for expression in asked:
        assert names(expression) and names(expression) <= KNOWN, expression
        for counter in re.findall(r"rate\((\w+)", expression):
            assert counter.endswith(("_total", "_bucket")), expression
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def test_the_autoscaler_and_its_adapter_agree():
    folder = ROOT / "docker/kubernetes"
    hpa = yaml.safe_load((folder / "fanout/manifests/hpa.yaml").read_text(encoding="utf-8"))
    rule = yaml.safe_load((folder / "monitoring/adapter-rule.yaml").read_text(encoding="utf-8"))
    metric = hpa["spec"]["metrics"][0]["pods"]["metric"]["name"]
    (custom,) = rule["rules"]["custom"]
    assert custom["name"]["as"] == metric and custom["seriesQuery"].startswith(metric + "{")
    assert metric in KNOWN


def test_prometheus_takes_its_configuration():
    promtool = shutil.which("promtool")
    if not promtool:
        pytest.skip("promtool is not installed")
    done = subprocess.run([promtool, "check", "config", METRICS / "prometheus.yml"], text=True,
                          capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_grafana_finds_dashboard_and_source():
    source = yaml.safe_load((METRICS / "datasource.yml").read_text(encoding="utf-8"))
    board = json.loads((METRICS / "dashboard.json").read_text(encoding="utf-8"))
    assert {p["datasource"]["uid"] for p in board["panels"]} == {source["datasources"][0]["uid"]}
    provider = yaml.safe_load((METRICS / "dashboards.yml").read_text(encoding="utf-8"))
    folder = provider["providers"][0]["options"]["path"]
    compose = yaml.safe_load((ROOT / "docker/compose.yaml").read_text(encoding="utf-8"))
    mounts = [v.split(":")[1] for v in compose["services"]["grafana"]["volumes"]]
    assert f"{folder}/sluice.json" in mounts
