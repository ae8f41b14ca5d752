# SPDX-License-Identifier: Apache-2.0
import pathlib
import shutil
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))


@pytest.fixture
def scratch():
    path = tempfile.mkdtemp(prefix="sluice-", dir="/tmp")
    yield path
    shutil.rmtree(path, ignore_errors=True)
