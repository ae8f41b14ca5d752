# SPDX-License-Identifier: Apache-2.0
"""docker/kubernetes: what it hands to the sidecar is accepted by the sidecar, and the rules that an
operator expects are kept. Needs no cluster and no engine; schemas are checked by `schemas`."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest
import yaml

from support.admin import Admin
from support.ports import free_port
from support.sidecar import Sidecar

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docker/kubernetes"
BINARY = os.environ["SLUICE_BINARY"]
PROBES = {"startupProbe": "/readyz", "readinessProbe": "/readyz", "livenessProbe": "/healthz"}


def manifests():
    return [(path, item) for path in sorted(FOLDER.rglob("manifests/*.yaml"))
            for item in yaml.safe_load_all(path.read_text(encoding="utf-8"))]


def pods():
    return [pytest.param(path, item["spec"]["template"]["spec"], id=item["metadata"]["name"])
            for path, item in manifests() if item["kind"] in ("Deployment", "StatefulSet")]


def containers(pod):
    return pod.get("initContainers", []) + pod["containers"]


def sluices(pod):
    found = [c for c in containers(pod) if c["image"] == "sluice"]
    assert len(found) == 1
    return found[0]


def sluice(*words, env=None):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SLUICE_")}
    return subprocess.run([BINARY, *words], env={**clean, **(env or {})}, text=True, timeout=60,
                          capture_output=True, check=False)


def config_map(pod, container):
    mount = next(m for m in container["volumeMounts"] if m["mountPath"] == "/etc/sluice")
    name = next(v for v in pod["volumes"] if v["name"] == mount["name"])["configMap"]["name"]
    return next(item["data"] for _, item in manifests()
                if item["kind"] == "ConfigMap" and item["metadata"]["name"] == name)


@pytest.mark.parametrize("path, pod", pods())
def test_arguments_and_configuration_are_accepted(path, pod, tmp_path):
    container = sluices(pod)
    for name, text in config_map(pod, container).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = [word.replace("/etc/sluice", str(tmp_path)) for word in container["args"]]
    assert words[:2] == ["run", "-c"]
    env = {e["name"]: e["value"] for e in container.get("env", [])}
    done = sluice(*words, "--test", env=env)
    assert (done.returncode, done.stderr) == (0, ""), path


@pytest.mark.parametrize("path, pod", pods())
def test_ports_and_probes_fit_the_configuration(path, pod):
    container = sluices(pod)
    ports = {p["name"]: p["containerPort"] for p in container["ports"]}
    text = config_map(pod, container)["sluice.ini"]
    assert f"bind = tcp://*:{ports['data']}\n" in text
    assert f"http = 0.0.0.0:{ports['metrics']}\n" in text
    assert "lifecycle" not in container
    paths = {name: container[name]["httpGet"] for name in PROBES}
    assert {probe["port"] for probe in paths.values()} == {"metrics"}
    assert {name: probe["path"] for name, probe in paths.items()} == PROBES
    linger = int(re.search(r"linger = (\d+)s", text)[1])
    assert pod["terminationGracePeriodSeconds"] > linger


@pytest.fixture
def running(tmp_path):
    """Starts the sidecar with the configuration of a Pod, moved to ports and paths of this test."""
    started = []

    def start(pod):
        port = free_port()
        text = config_map(pod, sluices(pod))["sluice.ini"].replace("/run/sluice", str(tmp_path))
        text = text.replace("0.0.0.0:9464", f"127.0.0.1:{port}")
        for address in set(re.findall(r"tcp://(\S+)", text)):
            text = text.replace(address, f"127.0.0.1:{free_port()}")
        started.append(Sidecar(str(tmp_path), text))
        return started[-1], Admin(port)

    yield start
    for sidecar in started:
        sidecar.cleanup()


@pytest.mark.parametrize("path, pod", pods())
def test_probes_and_autoscaler_are_answered(path, pod, running):
    sidecar, http = running(pod)
    for probe in PROBES.values():
        assert http.ask("GET", probe)[0] == 200
    names = http.metrics().types
    autoscaler = next(i for _, i in manifests() if i["kind"] == "HorizontalPodAutoscaler")
    for metric in autoscaler["spec"]["metrics"]:
        assert names[metric["pods"]["metric"]["name"]] == "gauge"
    for file in ("metrics/dashboard.json", "kubernetes/monitoring/adapter-rule.yaml", "README.md"):
        text = (ROOT / "docker" / file).read_text(encoding="utf-8")
        asked = set(re.findall(r"\bsluice_(?:[a-z]+_)*[a-z]+\b", text))
        assert asked and {re.sub("_(bucket|sum|count)$", "", name) for name in asked} <= set(names), file
    assert sidecar.stop() == 0


@pytest.mark.parametrize("path, pod", pods())
def test_pods_are_locked_down(path, pod):
    assert pod["enableServiceLinks"] is False and pod["automountServiceAccountToken"] is False
    context = pod["securityContext"]
    assert context["runAsNonRoot"] and context["runAsUser"] == 65532
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in containers(pod):
        own = container["securityContext"]
        assert own["readOnlyRootFilesystem"] and not own["allowPrivilegeEscalation"]
        assert own["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["requests"] and container["resources"]["limits"]["memory"]


def test_the_sidecar_is_a_native_one():
    pod = next(item for _, item in manifests() if item["kind"] == "StatefulSet")["spec"]["template"]
    (init,) = pod["spec"]["initContainers"]
    assert init["image"] == "sluice" and init["restartPolicy"] == "Always"
    shared = {m["name"] for m in init["volumeMounts"] if m["mountPath"] == "/run/sluice"}
    assert any(m["name"] in shared for c in pod["spec"]["containers"] for m in c["volumeMounts"])


def test_services_and_policies_select_the_pods():
    labels = [item["spec"]["template"]["metadata"]["labels"] for _, item in manifests()
              if item["kind"] in ("Deployment", "StatefulSet")]
    for _, item in manifests():
        if item["kind"] == "Service":
            assert item["spec"]["clusterIP"] == "None"  # the text, as Kubernetes wants it
            assert item["spec"]["selector"] in labels
        if item["kind"] in ("NetworkPolicy", "PodDisruptionBudget"):
            spec = item["spec"]
            selector = spec.get("podSelector") or spec["selector"]
            assert selector["matchLabels"] in labels
        if item["kind"] == "HorizontalPodAutoscaler":
            assert item["spec"]["metrics"][0]["pods"]["metric"]["name"].startswith("sluice_")


@pytest.mark.parametrize("kustomization", sorted(FOLDER.rglob("kustomization.yaml")),
                         ids=lambda path: path.parent.name)
def test_kustomizations_name_every_manifest(kustomization):
    resources = yaml.safe_load(kustomization.read_text(encoding="utf-8"))["resources"]
    for resource in resources:
        assert (kustomization.parent / resource).exists(), resource
    there = {str(p.relative_to(kustomization.parent))
             for p in kustomization.parent.glob("manifests/*.yaml")}
    assert there <= set(resources)


@pytest.mark.parametrize("name", ["docker/compose.ini", "docker/bench.ini"])
def test_other_configurations_are_accepted(name):
    extra = ["--set", "source.feed.bind=tcp://127.0.0.1:1", "--set", "sink.edge.bind=tcp://*:2"]
    done = sluice("check", "-c", str(ROOT / name), *(extra if "bench" in name else []))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
@pytest.mark.parametrize("folder", [".", "monitoring"])
def test_kustomize_builds_it(folder):
    done = subprocess.run(["kubectl", "kustomize", FOLDER / folder], text=True, check=False,
                          capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    images = {c["image"] for item in yaml.safe_load_all(done.stdout)
              if item["kind"] in ("Deployment", "StatefulSet")
              for c in containers(item["spec"]["template"]["spec"])}
    assert all(image.startswith("registry.example/") for image in images)
