"""Audits without end, four at once on one cache, each killed at a random time or left alone."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from bench.faults.waiting import waited
from bench.faults.whole_runs import ROOT, command, half_report, left_behind, variables, write_library

AT_ONCE = 4
_SIGNALS = (None, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_LONGEST = 600.0  # seconds that one run may take, besides those for which it waits for a core
_NOT_BEGUN = ("Could not import runpy module", "init_import_site")
"""What Python says, and exits with 1, where Ctrl-C comes before it has imported what runs our code."""


class _Run:
    """Holds one audit at work: when it is killed, and by which signal."""

    def __init__(self, folder: Path, number: int, rng: random.Random) -> None:
        self.report = folder / f"report-{number}"
        time.sleep(0.02)  # the clock of files goes in steps
        self.since = time.time()
        words = command(folder, *rng.choice([[], ["--again"]]), libraries=("good", "other"), out=self.report.name)
        self.signal, self.began = rng.choice(_SIGNALS), time.monotonic()
        self.at = self.began + rng.uniform(0.1, 12.0)
        self._stderr = folder / f"stderr-{number}"
        with self._stderr.open("wb") as said:
            self.process = subprocess.Popen(
                words, env=variables(folder), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=said
            )

    def kill_now(self) -> None:
        """Let the run be killed, unless it is to be ended already."""
        if self.signal is None:
            self.signal = signal.SIGKILL
        if self.at != float("inf"):
            self.at = min(self.at, time.monotonic())

    def wrong(self) -> list[str] | None:
        """Kill it if it is time; return what is wrong once it has ended, None before."""
        if self.process.poll() is None:
            now = time.monotonic()
            if now > self.began + _LONGEST and now > self.began + _LONGEST + waited(self.process.pid):
                self.process.kill()
                return [f"no end within {_LONGEST:.0f} s"]
            if self.signal is not None and now > self.at:
                self.process.send_signal(self.signal)
                self.at = float("inf")  # once
            return None
        code = self.process.returncode
        allowed = (0, 130, -(self.signal or 0), -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP)
        said = self._stderr.read_text(errors="replace")
        begun = code != 1 or self.signal != signal.SIGINT or not any(words in said for words in _NOT_BEGUN)
        wrong = [] if code in allowed or not begun else [f"exit code {code}: {said[-2000:]}"]
        return [*wrong, *(half_report(self.report, self.since, code == 0) if self.report.exists() else [])]


def soak(
    folder: Path, minutes: float, seed: int, tell: Callable[[str], None], at_once: int = AT_ONCE
) -> tuple[Counter[str], list[str]]:
    """Run audits for so many minutes; return how many ended how, and what was wrong."""
    rng, ended, wrong = random.Random(seed), Counter[str](), list[str]()
    for name in ("good", "other"):
        write_library(folder, name)
    end, number, running = time.monotonic() + 60 * minutes, 0, dict[int, _Run]()
    while running or time.monotonic() < end:
        for place in range(at_once):
            if place not in running and time.monotonic() < end:
                running[place], number = _Run(folder, place, rng), number + 1
        time.sleep(0.02)
        if time.monotonic() > end:  # the last ones are killed, too
            for run in running.values():
                run.kill_now()
        for place, run in list(running.items()):
            found = run.wrong()
            if found is None:
                continue
            del running[place]
            name = run.signal.name if run.signal is not None and run.process.returncode else "finished"
            ended[name] += 1
            wrong += found
            for each in found:
                tell(f"run {number}, {name}: {each}")
    found = left_behind(folder, folders=False)
    for each in found:
        tell(each)
    return ended, [*wrong, *found]
