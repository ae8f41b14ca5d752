# SPDX-License-Identifier: Apache-2.0
"""Containers by the docker command line: one pod of sidecar, publisher and subscribers a test."""
import json
import pathlib
import subprocess
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[3]
IMAGE, APPLICATION = "sluice-test", "sluice-test-application"
LABEL = "sluice-test"
HARDENED = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges:true"]


def docker(*words, check=True, timeout=120):
    """The finished command; what it says is kept apart."""
    done = subprocess.run(["docker", *map(str, words)], text=True, capture_output=True,
                          timeout=timeout, stdin=subprocess.DEVNULL)
    if check:
        assert done.returncode == 0, f"docker {' '.join(map(str, words))}: {done.stderr}"
    return done


def build(tag, file, context, **arguments):
    """Through the engine's own cache; the host's network, as some engines have no bridge."""
    words = ["build", "-q", "--network", "host", "-f", file, "-t", tag]
    for name, value in arguments.items():
        words += ["--build-arg", f"{name}={value}"]
    docker(*words, context, timeout=1800)


def eventually(question, timeout, what):
    end = time.monotonic() + timeout
    while True:
        answer = question()
        if answer:
            return answer
        assert time.monotonic() < end, f"did not happen within {timeout} s: {what()}"
        time.sleep(0.1)


class Container:
    """A container that runs in the background; removed by Pod.close."""

    def __init__(self, name):
        self.name = name

    def logs(self):
        done = docker("logs", self.name)
        return done.stdout + done.stderr

    def state(self):
        return json.loads(docker("inspect", "-f", "{{json .State}}", self.name).stdout)

    def wait_log(self, text, timeout=60, times=1):
        eventually(lambda: self.logs().count(text) >= times, timeout,
                   lambda: f"{text!r} in the log of {self.name}:\n{self.logs()[-3000:]}")

    def wait(self, timeout=120):
        """Its exit code."""
        return int(docker("wait", self.name, timeout=timeout).stdout)

    def exec(self, *words, check=True):
        return docker("exec", self.name, *words, check=check)


class Pod:
    """A namespace, a volume for /run/sluice, and the containers in them."""

    def __init__(self):
        self.id = "sluice-test-" + uuid.uuid4().hex[:8]
        self.volume = self.id
        self.containers = []
        docker("volume", "create", "--label", LABEL, self.volume)
        self.holder = self.start("pod", APPLICATION, entrypoint="sleep", command=["infinity"],
                                 flags=["--init"], network="none", volume=False)

    def start(self, name, image, command=(), flags=(), entrypoint=None, env=None, network=None,
              volume=True, hardened=True):
        container = Container(f"{self.id}-{name}")
        words = ["run", "-d", "--name", container.name, "--label", LABEL,
                 "--network", network or f"container:{self.holder.name}"]
        if hardened:
            words += HARDENED
        if volume:
            words += ["-v", f"{self.volume}:/run/sluice"]
        if entrypoint:
            words += ["--entrypoint", entrypoint]
        for key, value in (env or {}).items():
            words += ["-e", f"{key}={value}"]
        self.containers.append(container)
        docker(*words, *flags, image, *command)
        return container

    def sidecar(self, file, *words, **options):
        flags = ["-v", f"{file}:/etc/sluice/sluice.ini:ro", *options.pop("flags", [])]
        return self.start("sluice", IMAGE, command=words, flags=flags, **options)

    def publish(self, endpoint, name="publisher", **env):
        return self.start(name, APPLICATION, ["publish"], env={"ENDPOINT": endpoint, **env})

    def subscribe(self, name, endpoint, **env):
        return self.start(name, APPLICATION, ["subscribe"],
                          env={"ENDPOINT": endpoint, "NAME": name, **env})

    def close(self):
        for container in reversed(self.containers):
            docker("rm", "-f", "-v", container.name, check=False)
        docker("volume", "rm", "-f", self.volume, check=False)
