# SPDX-License-Identifier: Apache-2.0
"""A client of the admin HTTP server, and a reader of its metrics."""
import http.client
import json
import os
import re

from .wait import patience

TOKEN = "a-token-of-the-tests"
_SAMPLE = re.compile(r"^([a-z_]+)(?:\{(.*)\})? (\S+)$")
_LABEL = re.compile(r'([a-z]+)="((?:[^"\\]|\\.)*)"(?:,|$)')


def section(scratch, port, changes=True, more=""):
    """An [admin] section on this port, with a token file."""
    path = f"{scratch}/token"
    with open(path, "w", encoding="ascii") as file:
        file.write(TOKEN + "\n")
        os.fchmod(file.fileno(), 0o600)
    allowed = f"changes = yes\ntoken_file = {path}\n" if changes else ""
    return f"[admin]\nhttp = 127.0.0.1:{port}\n{allowed}{more}"


class Admin:
    def __init__(self, port):
        self.port = port

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience())

    def ask(self, method, path, body=None, headers=None):
        """(status, headers, body) on a connection of its own."""
        connection = self.connect()
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def get(self, path):
        status, headers, body = self.ask("GET", path)
        assert status == 200, (status, body)
        return body

    def post(self, path, fields=None, token=TOKEN):
        """(status, what the JSON says)"""
        body = None if fields is None else json.dumps(fields)
        headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
        status, _, text = self.ask("POST", "/api/v1/" + path, body, headers)
        return status, json.loads(text)

    def metrics(self):
        return Metrics(self.get("/metrics"))


class Metrics:
    """The text format, read strictly."""

    def __init__(self, text):
        assert text.endswith("\n")
        self.text, self.types, self.samples = text, {}, {}
        helped = None
        for line in text.splitlines():
            if line.startswith("# HELP "):
                helped = line.split()[2]
                assert line[len("# HELP " + helped):].strip(), f"no text: {line}"
            elif line.startswith("# TYPE "):
                _, _, name, kind = line.split()
                assert name == helped and name not in self.types, line
                self.types[name] = kind
            else:
                match = _SAMPLE.match(line)
                assert match, line
                labels = tuple(_LABEL.findall(match[2] or ""))
                assert "".join(f'{k}="{v}",' for k, v in labels).rstrip(",") == (match[2] or "")
                assert (match[1], labels) not in self.samples, f"twice: {line}"
                assert re.sub("_(bucket|sum|count)$", "", match[1]) in self.types or \
                    match[1] in self.types, f"no type: {line}"
                self.samples[match[1], labels] = float(match[3])

    def value(self, name, **labels):
        found = [v for (n, l), v in self.samples.items()
                 if n == name and labels.items() <= dict(l).items()]
        assert len(found) == 1, (name, labels, found)
        return found[0]

    def labels(self, name):
        return [dict(l) for (n, l) in self.samples if n == name]
