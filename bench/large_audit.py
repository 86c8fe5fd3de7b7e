"""Measures ``audit run`` on large data beside the library's own calls on them: seconds, memory, signs of life."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench import scale_data
from bench.meter import memory
from recsys_metric_audit.audit.cli.shared.inputs import choose_versions
from recsys_metric_audit.audit.data import read_case
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Ask, Limits, Measured
from recsys_metric_audit.audit.process.worker import converse
from recsys_metric_audit.reports.writers.report_folder import FILES

ROOT = Path(__file__).parents[1]
K = 20


@dataclass(frozen=True)
class LargeAudit:
    """Holds one measurement.

    Attributes:
        wall: Seconds of the whole run, from the command to its end.
        calls: Seconds of the library's own calls on the data, each function once, in a run of their own.
        process: Seconds of that run: a process starts, reads the data, makes the library's input of them, and calls.
        peak: Most bytes that the auditor's process held; the library's are its own.
        columns: Bytes of the columns of the data: 24 for each row.
        silence: Seconds of the longest time without a line on stderr.
    """

    wall: float
    calls: float
    process: float
    peak: int
    columns: int
    silence: float

    def line(self) -> str:
        """Return the figures in words."""
        return (
            f"{self.wall:.0f} s, {self.wall / self.calls:.2f} times the {self.calls:.0f} s of the library's calls and "
            f"{self.wall / self.process:.2f} times the {self.process:.0f} s of a process that does nothing else; "
            f"{self.peak / 2**20:,.0f} MB, {self.peak / self.columns:.2f} times the {self.columns / 2**20:,.0f} MB of "
            f"the columns; at most {self.silence:.1f} s without a word"
        )


def measure(name: str, users: int, length: int) -> LargeAudit:
    """Audit a version, asked anew, on data of so many users with lists of one ``length``."""
    ((manifest, version),) = choose_versions(None, [name], False)
    with tempfile.TemporaryDirectory() as folder:
        paths = scale_data.write(Path(folder), users * length, "grouped", length)
        wall, peak, silence = _audited(name, *paths, Path(folder) / "report")
        calls, process, columns = _called(manifest, version, *paths, Path(folder))
    return LargeAudit(wall, calls, process, peak, columns, silence)


def _audited(name: str, predictions: Path, truth: Path, out: Path) -> tuple[float, int, float]:
    """Return seconds, the most bytes held and the longest silence of ``audit run`` in a process of its own."""
    words = ["run", "-l", name, "-k", str(K), "--again", "--out", str(out), "--timeout", "1000"]
    began = time.monotonic()
    run = subprocess.Popen(
        [sys.executable, "-m", "recsys_metric_audit", *words, "--predictions", str(predictions), "--truth", str(truth)],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    heard = [began]

    def listen() -> None:
        assert run.stderr is not None
        for line in run.stderr:
            heard.append(time.monotonic())
            print(f"    {heard[-1] - began:6.1f} s  {line.rstrip()[:150]}", file=sys.stderr, flush=True)

    listener = threading.Thread(target=listen)
    listener.start()
    peak = 0
    while run.poll() is None:
        with suppress(OSError):  # it has ended meanwhile
            peak = max(peak, memory("VmHWM", str(run.pid)))
        time.sleep(0.05)
    listener.join()
    ended = time.monotonic()
    assert run.returncode == 0 and all((out / file).is_file() for file in FILES)
    return ended - began, peak, max(b - a for a, b in zip(heard, [*heard[1:], ended], strict=True))


def _called(
    manifest: Manifest, version: Version, predictions: Path, truth: Path, folder: Path
) -> tuple[float, float, int]:
    """Return seconds of the library's calls on the data, each function once, and of all that its process does.

    The third number is the bytes of the columns.
    """
    case = read_case(predictions, truth, None).case
    built = environment.ensure(manifest, version, progress=lambda step: None)
    adapter = manifest.means_path(version) or manifest.adapter_path(version)
    functions = manifest.functions_of(version)
    asks = []
    for number, cut in enumerate({each.cutoff for each in functions}):
        names = tuple(each.name for each in functions if each.cutoff is cut)
        asks.append(Ask(number, "data", names, (K if cut else None,), fresh=False, values=False))
    limits = Limits(seconds=1000)
    began = time.monotonic()
    said = converse(built.python, adapter, {"data": case}, asks, folder / "control", limits, stubs=tuple(version.stubs))
    process = time.monotonic() - began
    columns = (*vars(case.predictions).values(), *vars(case.truth).values())
    seconds = sum(each.outcome.seconds for each in said.answers if isinstance(each.outcome, Measured))
    return seconds, process, sum(column.nbytes for column in columns)
