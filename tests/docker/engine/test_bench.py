# SPDX-License-Identifier: Apache-2.0
"""docker/bench, briefly: every kind of proxy and place, and what it writes."""
import json
import subprocess

import pytest

from engine import ROOT, docker

PLACES, VARIANTS = ["container", "bare"], ["stock", "native-hold1ms"]


def test_bench_measures_both_places_and_loses_nothing(tmp_path):
    if docker("compose", "version", check=False).returncode != 0:
        pytest.skip("this docker has no compose")
    done = subprocess.run(
        [ROOT / "docker/bench", "--seconds", "0.3", "--out", tmp_path,
         "--only", r"\.(tcp|abstract)\.(stock|native-hold1ms)$"],
        text=True, capture_output=True, timeout=1800, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    figures = json.loads((tmp_path / "figures.json").read_text())
    places = ["container"] if (tmp_path / "note.txt").exists() else PLACES
    expected = {(t, v, p) for t in ("tcp", "abstract") for v in VARIANTS for p in places}
    assert {(f["transport"], f["variant"], f["place"]) for f in figures} == expected
    for figure in figures:
        assert figure["loads"]["flood1"]["deliveries_per_s"] > 0, figure
        assert figure["loads"]["flood10"]["deliveries_per_s"] > 0, figure
        assert figure["loads"]["even"]["cpu_us"] > 0, figure  # the proxy's clock could be read
    lost = [line.split("|")[-2].strip() for line in (tmp_path / "table.md").read_text().splitlines()[2:]]
    assert set(lost) <= {"0", ""}, (tmp_path / "table.md").read_text()
    assert len(list(tmp_path.glob("*.svg"))) >= 3
