# SPDX-License-Identifier: Apache-2.0
"""What is in the image, and how it behaves as the one process of a locked-down container."""
import json
import re
import subprocess

from engine import APPLICATION, HARDENED, IMAGE, docker, eventually


def once(*words, flags=()):
    """A container that runs to its end; no network, nothing writable."""
    return docker("run", "--rm", "--network", "none", *HARDENED, *flags, IMAGE, *words, check=False)


def test_labels_and_entry(images):
    config = json.loads(docker("inspect", "-f", "{{json .Config}}", IMAGE).stdout)
    labels = {k.rsplit(".", 1)[1]: v for k, v in config["Labels"].items()
              if k.startswith("org.opencontainers.image.")}
    assert labels["licenses"] == "Apache-2.0" and labels["title"] == "sluice"
    assert re.match(r"\d+\.\d+\.\d+$", labels["version"]) and labels["revision"] == images
    assert re.match(r"\d{4}-\d\d-\d\dT[\d:]+Z$", labels["created"])
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", config["User"])
    assert config["Entrypoint"] + config["Cmd"] == ["sluice", "run", "-c", "/etc/sluice/sluice.ini"]
    assert config["StopSignal"] == "SIGTERM"


def test_size_is_the_base_and_a_little():
    def size(image):
        return int(docker("inspect", "-f", "{{.Size}}", image).stdout)

    base, whole = size("debian:bookworm-slim"), size(IMAGE)
    history = docker("history", "--no-trunc", "--format", "{{.Size}}\t{{.CreatedBy}}", IMAGE).stdout
    print(f"base {base / 1e6:.1f} MB, image {whole / 1e6:.1f} MB\n{history}")
    assert whole - base < 40e6


def test_version_names_the_revision(images):
    done = once("--version")
    assert done.returncode == 0 and images in done.stdout and "Release" in done.stdout
    assert "syscall-counter" in done.stdout


def test_binary_is_hardened(tmp_path):
    container = docker("create", "--network", "none", IMAGE).stdout.strip()
    try:
        docker("cp", f"{container}:/usr/bin/sluice", tmp_path)
    finally:
        docker("rm", container)

    def readelf(*words):
        return subprocess.run(["readelf", "-W", *words, tmp_path / "sluice"], text=True, check=True,
                              capture_output=True).stdout

    assert re.search(r"Type:\s+DYN", readelf("-h")), "not position-independent"
    assert "BIND_NOW" in readelf("-d") and "GNU_RELRO" in readelf("-l")
    symbols = readelf("--dyn-syms")
    assert "__stack_chk_fail" in symbols and re.search(r"__\w+_chk\b", symbols)
    needed = set(re.findall(r"NEEDED.*\[(\w+)", readelf("-d")))
    assert needed <= {"libzmq", "libboost_program_options", "libprometheus", "libstdc", "libm",
                      "libgcc_s", "libc", "ld"}


def test_only_what_it_needs_comes_on_top_of_the_base():
    def packages(image):
        return set(docker("run", "--rm", "--network", "none", "--entrypoint", "dpkg-query", image,
                          "-W", "-f", "${Package}\n").stdout.split())

    added = packages(IMAGE) - packages("debian:bookworm-slim")
    assert {"libzmq5", "libboost-program-options1.74.0", "libprometheus-cpp-core1.0"} <= added
    assert all(name.startswith("lib") and not name.endswith("-dev") for name in added), added
    assert len(added) < 20, added


def test_environment_and_sample_are_enough():
    done = once("show", "-c", "/etc/sluice/sluice.ini", flags=["-e", "SLUICE_SINK_EDGE_SEND_HWM=77"])
    assert done.returncode == 0, done.stderr
    assert re.search(r"send_hwm\s*=\s*77\b.*SLUICE_SINK_EDGE_SEND_HWM", done.stdout)


def test_wrong_configuration_is_78_and_says_where(settings):
    file = settings("[sink edge]\nbind = tcp://*:5556\nsend_hmw = 5\n")
    done = once(flags=["-v", f"{file}:/etc/sluice/sluice.ini:ro"])
    assert done.returncode == 78
    assert "/etc/sluice/sluice.ini:3:" in done.stderr and "send_hwm" in done.stderr


def test_missing_volume_is_1_and_names_the_path():
    done = once()  # read-only root, and nothing mounted at /run/sluice
    assert done.returncode == 1
    assert "/run/sluice" in done.stderr and "cannot start" in done.stderr, done.stderr


def test_term_as_pid_1_drains(pod, settings):
    count = 300_000
    sidecar = pod.sidecar(settings(route="linger = 20s"))
    sidecar.wait_log("ready")
    assert sidecar.exec("sluice", "ctl", "ping").returncode == 0
    slow = pod.subscribe("slow", "ipc:///run/sluice/out.sock", COUNT=count)
    publisher = pod.publish("ipc:///run/sluice/in.sock", COUNT=count, READY="slow")
    slow.wait_log("connected")
    publisher.wait_log(f"sent {count}")
    docker("stop", "-t", "60", sidecar.name)
    state = sidecar.state()
    assert (state["ExitCode"], state["OOMKilled"]) == (0, False), sidecar.logs()
    assert slow.wait() == 0, slow.logs() + sidecar.logs()
    assert f"received {count} " in slow.logs() and "0 gaps, 0 late" in slow.logs()
    assert docker("diff", sidecar.name).stdout.split() in ([], ["C", "/etc"], ["C", "/run"]) \
        or "/tmp" not in docker("diff", sidecar.name).stdout


def test_restart_under_load_and_everybody_returns(pod, settings):
    sidecar = pod.sidecar(settings(), "run", "-c", "/etc/sluice/sluice.ini")
    sidecar.wait_log("ready")
    subscribers = [pod.subscribe("ipc", "ipc:///run/sluice/out.sock"),
                   pod.subscribe("tcp", "tcp://127.0.0.1:5556")]
    pod.publish("tcp://127.0.0.1:5555", RATE=5000, READY="ipc tcp")

    def delivered():
        status = json.loads(sidecar.exec("sluice", "ctl", "--json", "status").stdout)
        sink = status["routes"][0]["sinks"][0]
        return sink["peers"] == 2 and (sink["delivered_messages"] or 0)

    for turn in range(1, 4):
        eventually(lambda: delivered() >= 2000, 60, sidecar.logs)
        docker("restart", "-t", "30", sidecar.name)
        sidecar.wait_log("ready", times=turn + 1)
        eventually(lambda: delivered() >= 2000, 60, sidecar.logs)
        state = sidecar.state()
        assert state["Running"] and not state["OOMKilled"]
    for subscriber in subscribers:
        subscriber.wait_log(" late")  # a line every 5 s
        assert subscriber.logs().strip().splitlines()[-1].endswith("0 late"), subscriber.logs()


def test_a_stuck_subscriber_stays_within_the_memory_limit(pod, settings):
    file = settings(sink="engine = native\non_full = drop\nsend_hwm = 0\nsend_hwm_bytes = 8MiB")
    sidecar = pod.sidecar(file, flags=["--memory", "40m"])
    sidecar.wait_log("ready")
    stuck = pod.subscribe("stuck", "ipc:///run/sluice/out.sock")
    lively = pod.subscribe("lively", "tcp://127.0.0.1:5556")
    stuck.wait_log("connected")
    publisher = pod.publish("ipc:///run/sluice/in.sock", COUNT=0, SIZE=1000, RATE=20000,
                            READY="stuck lively")
    publisher.wait_log("subscribed")
    docker("pause", stuck.name)
    try:
        def dropped():
            status = json.loads(sidecar.exec("sluice", "ctl", "--json", "status").stdout)
            return status["routes"][0]["sinks"][0]["dropped_messages"] > 50_000

        eventually(dropped, 120, sidecar.logs)  # 50 MB more than the limit has passed it by
        state = sidecar.state()
        assert state["Running"] and not state["OOMKilled"], sidecar.logs()
        lively.wait_log(" received")
    finally:
        docker("unpause", stuck.name)
    docker("stop", "-t", "30", sidecar.name)
    assert sidecar.state()["ExitCode"] == 0


def test_application_image_has_no_sluice():
    done = docker("run", "--rm", "--network", "none", "--entrypoint", "sh", APPLICATION, "-c",
                  "! command -v sluice")
    assert done.returncode == 0
