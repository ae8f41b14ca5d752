# SPDX-License-Identifier: Apache-2.0
"""Runs sluice-bench case by case with progress on the terminal."""

import subprocess
import sys
import time


class Progress:
    """A bar on a terminal, a line for each experiment elsewhere."""

    def __init__(self, total, out=sys.stderr):
        self.total = max(total, 1)
        self.done = 0
        self.out = out
        self.live = out.isatty()
        self.begin = time.monotonic()

    def section(self, text):
        if not self.live:
            print(f"{self.elapsed()}  {text}", file=self.out, flush=True)

    def step(self, text):
        self.done += 1
        if not self.live:
            return
        width = 30
        filled = width * self.done // self.total
        left = (time.monotonic() - self.begin) / self.done * (self.total - self.done)
        bar = "#" * filled + "." * (width - filled)
        line = f"[{bar}] {self.done}/{self.total}, {left:3.0f} s left  {text}"
        print(f"\r{line[:110]:<110}", end="", file=self.out, flush=True)

    def elapsed(self):
        seconds = int(time.monotonic() - self.begin)
        return f"{seconds // 60:02}:{seconds % 60:02}"

    def end(self):
        if self.live:
            print(f"\r{'':<110}\r", end="", file=self.out)
        print(f"{self.done} measurements in {self.elapsed()}", file=self.out, flush=True)


def cases(binary, pattern):
    """The names that a pattern takes."""
    listed = subprocess.run([binary, "--benchmark_list_tests", f"--benchmark_filter={pattern}"],
                            check=True, capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if "/" in line]


def run(binary, pattern, seconds, out, reverse, flags, log, progress):
    """One round of one experiment; its JSON goes to `out`, all that is said to `log`."""
    command = [str(binary), f"--seconds={seconds}", f"--benchmark_filter={pattern}",
               f"--benchmark_out={out}", "--benchmark_out_format=json", *flags]
    if reverse:
        command.append("--reverse")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        try:
            for line in process.stdout:
                log.write(line)
                if "/manual_time" in line:
                    progress.step(line.split("/manual_time")[0])
        except BaseException:
            process.terminate()
            raise
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit {process.returncode}")
