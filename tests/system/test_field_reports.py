# SPDX-License-Identifier: Apache-2.0
"""tests/field-reports.md names every entry, and only tests that exist."""
import os
import re

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ENTRIES = {"P": 13, "S": 18, "F": 11, "Z": 5, "T": 7, "C": 9, "X": 8, "M": 6, "I": 7, "N": 9,
           "J": 6, "K": 3, "Q": 2, "E": 3, "O": 6}


def rows():
    with open(os.path.join(TESTS, "field-reports.md"), encoding="utf-8") as file:
        for line in file:
            if re.match(r"\| [A-Z]-\d\d \|", line):
                yield [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def test_every_entry_has_a_row_with_a_test_or_a_reason():
    assert [row[0] for row in rows()] == [f"{letter}-{number:02}" for letter, count in
                                          ENTRIES.items() for number in range(1, count + 1)]
    for row in rows():
        assert len(row) == 4 and (row[2] or row[3]), row


def test_every_test_that_is_named_exists():
    for row in rows():
        for path, name in re.findall(r"`([\w/.]+)::([\w.]+)`", row[2]):
            with open(os.path.join(TESTS, path), encoding="utf-8") as file:
                text = file.read()
            if path.endswith(".py"):
                assert f"def {name}(" in text, name
            else:
                suite, case = name.split(".")
                assert re.search(rf"TEST(_P|_F)?\(\s*{suite},\s*{case}\s*\)", text), name
