# SPDX-License-Identifier: Apache-2.0
"""`sluice ctl`, word by word: help with examples, the nearest word, JSON for every answer."""
import json
import shlex

import pytest

from support.sidecar import run

WORDS = {  # and a slip of the finger
    "pause": "puase", "resume": "resum", "terminate": "termnate", "drain": "drian",
    "stats": "statss", "top": "tpo", "status": "statuss", "get": "gte", "set": "sett",
    "attach": "atach", "detach": "detatch", "reload": "relaod", "ping": "pign",
}


@pytest.mark.parametrize("word", WORDS)
def test_each_word_has_help_with_examples(word):
    asked = run("ctl", word, "--help")
    assert (asked.returncode, asked.stderr) == (0, "")
    assert run("help", "ctl", word).stdout == asked.stdout
    assert run("ctl", "-h", word).stdout == asked.stdout
    assert asked.stdout.startswith(f"sluice ctl {word} - ")
    assert f"\nusage: sluice ctl [OPTION]... {word}" in asked.stdout
    examples = asked.stdout.split("\nexamples:\n")[1].splitlines()
    assert examples and all(line.startswith("  sluice ") for line in examples)
    assert any(line.split("ctl ", 1)[-1].startswith(word) for line in examples)
    assert max(map(len, asked.stdout.splitlines()[1:])) <= 100


def test_the_list_of_words_is_in_the_help_of_ctl():
    text = run("ctl", "--help").stdout
    for word in WORDS:
        assert f"\n  {word} " in text


def test_every_example_is_a_command_line_that_ctl_understands(scratch):
    """Against nobody: whatever is wrong with the words themselves is 64."""
    for word in WORDS:
        for line in run("ctl", word, "--help").stdout.split("\nexamples:\n")[1].splitlines():
            words = shlex.split(line.split("|")[0].split(">")[0].split("&&")[-1])
            assert words[:2] == ["sluice", "ctl"]
            if "--timeout" not in words:
                words += ["--timeout", "50ms"]
            done = run("ctl", "-e", f"ipc://{scratch}/nobody", *words[2:])
            assert done.returncode == 69, (line, done.stderr)


@pytest.mark.parametrize("word, slip", WORDS.items())
def test_the_nearest_word_is_named(word, slip):
    for args in (("ctl", slip), ("ctl", slip, "--help"), ("help", "ctl", slip)):
        done = run(*args)
        assert done.returncode == 64 and done.stdout == ""
        assert f"did you mean {word}?" in done.stderr, done.stderr


@pytest.mark.parametrize("args, why", [
    (["pause", "a", "b"], "pause takes [ROUTE], not 2 arguments"),
    (["set", "a"], "set takes KEY VALUE, not 1 argument\n"),
    (["ping", "x"], "ping takes no argument"),
    (["attach", "market"], "attach takes ROUTE ENDPOINT"),
    ([], "what to do?"),
    (["stats", "--intervall", "1s"], "did you mean --interval?"),
])
def test_wrong_numbers_of_words(args, why):
    done = run("ctl", *args)
    assert done.returncode == 64 and why in done.stderr


def test_every_word_answers_in_json(basic, scratch):
    sidecar = basic()
    for args in (["pause"], ["resume", "market"], ["get", "log.level"], ["ping"], ["reload"],
                 ["set", "coalesce_delay", "1ms"], ["attach", "market", f"ipc://{scratch}/more"],
                 ["detach", "market", f"ipc://{scratch}/more"]):
        done = sidecar.ctl(*args, "--json")
        assert done.returncode == 0, (args, done.stderr)
        assert list(json.loads(done.stdout)) == ["result"], args
    for args in (["status"], ["stats", "--interval", "100ms"],
                 ["top", "--interval", "100ms", "--count", "1"]):
        done = sidecar.ctl(*args, "--json")
        assert done.returncode == 0, (args, done.stderr)
        assert isinstance(json.loads(done.stdout), dict), args
    for args in (["pause", "markt"], ["resume", "x"], ["terminate", "x"], ["drain", "x"],
                 ["get", "x"], ["set", "x", "1"], ["set", "coalesce_delay", '"\x1b\n\\'],
                 ["attach", "x", "y"], ["attach", "market", "nonsense"],
                 ["detach", "market", "ipc:///tmp/not-there"]):
        done = sidecar.ctl(*args, "--json")
        assert done.returncode == 1, (args, done.stdout, done.stderr)
        assert json.loads(done.stdout)["error"] and done.stderr.startswith("sluice ctl: refused: ")
    nobody = run("ctl", "-e", f"ipc://{scratch}/nobody", "--timeout", "50ms", "--json", "ping")
    assert nobody.returncode == 69 and json.loads(nobody.stdout)["error"]
    done = sidecar.ctl("terminate", "--wait", "--json")
    assert done.returncode == 0 and json.loads(done.stdout) == {"result": "terminating"}
    assert sidecar.wait() == 0


def test_drain_in_json(basic):
    sidecar = basic()
    assert json.loads(sidecar.ctl("drain", "--wait", "--json").stdout) == {"result": "draining"}
    assert sidecar.wait() == 0
