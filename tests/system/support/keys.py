# SPDX-License-Identifier: Apache-2.0
"""Keys and allow-lists in a folder."""
import os

from .sidecar import run


class Keys:
    """Key pairs as `sluice keygen` makes them, in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def make(self, name):
        done = run("keygen", f"{self.folder}/{name}")
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def secret(self, name):
        with open(f"{self.folder}/{name}.secret", encoding="ascii") as file:
            return file.read().strip()

    def public(self, name):
        with open(f"{self.folder}/{name}.public", encoding="ascii") as file:
            return file.read().strip()

    def allow(self, *names):
        path = f"{self.folder}/allowed"
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write("# who may come in\n")
            for name in names:
                file.write(f"{self.public(name)} {name}\n")
        os.rename(path + ".new", path)
        return path
