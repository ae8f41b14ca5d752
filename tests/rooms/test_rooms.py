# SPDX-License-Identifier: Apache-2.0
"""The architecture as an order of folders: a file includes its own folder and those named before it."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

# From the bottom to the top. A folder's subfolders belong to it unless they are named too.
ROOMS = (
    "proxy/include",
    "proxy/core/base",
    "proxy/syscalls",
    "proxy/core/wait",
    "proxy/core/zmq",
    "proxy/sink",
    "proxy/core/endpoint",
    "proxy/sink/zmq",
    "proxy/sink/native",
    "proxy/core/loop",
    "proxy/core/subscription",
    "proxy/core/control",
    "proxy/core/route",
    "proxy/compat",
    "proxy/measure",
    "config",
    "proxy/app/terminal",
    "proxy/app/log",
    "proxy/app/command",
    "proxy/app/process",
    "proxy/app/feed",
    "proxy/app/routes",
    "proxy/app/settings",
    "proxy/app/admin",
    "proxy/app/sidecar",
    "proxy/app/load",
    "proxy/app/top",
    "proxy/app/ctl",
    "proxy/app/tune",
    "proxy/app/trace",
    "proxy/app",
    "proxy/app/examples",
    "proxy/app/manual",
)
SOURCES = {".c", ".cpp", ".h", ".hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(sluice/[^>]+)>)', re.MULTILINE)
MADE_BY_THE_BUILD = {"proxy/app/build_info.hpp"}
MOST_LINES = 500


def room_of(path):
    """The innermost named folder that holds `path`, or None."""
    holders = (room for room in ROOMS if path.startswith(room + "/"))
    return max(holders, key=len, default=None)


def sources():
    for top in ("proxy", "config"):
        for file in sorted((ROOT / top).rglob("*")):
            if file.suffix in SOURCES:
                yield file.relative_to(ROOT).as_posix()


def target_of(name):
    """An included name's place in the tree: public, below proxy/, or config/."""
    if name.startswith("sluice/"):
        return "proxy/include/" + name
    return name if name.startswith("config/") else "proxy/" + name


def includes(path):
    for found in INCLUDE.finditer((ROOT / path).read_text()):
        yield target_of(found[1] or found[2])


def test_every_source_has_a_room():
    assert [path for path in sources() if room_of(path) is None] == []


def test_every_room_is_in_use_and_named_once():
    assert len(set(ROOMS)) == len(ROOMS)
    used = {room_of(path) for path in sources()}
    assert [room for room in ROOMS if room not in used] == []


def test_what_is_included_exists():
    missing = [
        (path, target)
        for path in sources()
        for target in includes(path)
        if target not in MADE_BY_THE_BUILD and not (ROOT / target).is_file()
    ]
    assert missing == []


def test_nothing_is_included_from_above():
    above = [
        f"{path} includes {target}"
        for path in sources()
        for target in includes(path)
        if target not in MADE_BY_THE_BUILD
        and ROOMS.index(room_of(target)) > ROOMS.index(room_of(path))
    ]
    assert above == []


def test_no_file_is_long():
    lines = {path: len((ROOT / path).read_text().splitlines()) for path in sources()}
    assert {path: count for path, count in lines.items() if count > MOST_LINES} == {}


def test_the_architecture_page_names_every_room():
    page = (ROOT / "proxy/architecture.md").read_text()
    unnamed = [
        room
        for room in ROOMS
        if not re.search(rf"`{re.escape(room.removeprefix('proxy/'))}`", page)
    ]
    assert unnamed == []
