# SPDX-License-Identifier: Apache-2.0
"""same_text.py ROOT FILE.md...: what the documents show is what the tests compile and run.

A line `<!-- file: PATH -->` before a fenced block says that the block is that file, but for its
SPDX line. README.md must have at least one.
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^<!-- file: (\S+) -->\n+```\w*\n(.*?)^```$", re.M | re.S)


def text_of(path):
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if "SPDX-License-Identifier" not in line).strip("\n")


def main(root, *documents):
    failures = []
    for name in documents:
        blocks = BLOCK.findall((root / name).read_text(encoding="utf-8"))
        if name == "README.md" and not blocks:
            failures.append(f"{name}: no `<!-- file: PATH -->` block")
        failures += [f"{name}: differs from {path}" for path, block in blocks
                     if block.strip("\n") != text_of(root / path)]
    print("\n".join(failures) or "same")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), *sys.argv[2:]))
