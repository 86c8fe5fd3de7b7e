"""Whole audits in processes of their own: what one library does, what becomes of output, kills at any time.

What one library does costs its own row; the one beside it is measured. A report is whole or is the one from before.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from bench.faults.stand_in import environment_of
from bench.faults.trial import LOST, PLACES, Trial, left_running, replace_file, unclear
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.responders import recording_file
from recsys_metric_audit.audit.run.finding_store import first_line
from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result_file import read_result
from recsys_metric_audit.reports.writers.report_folder import FILES
from tests.support.one_metric_library import DATASET, GOOD, TOML

ROOT = Path(__file__).parents[2]
_SECONDS = 400
Prepare = Callable[[Path], dict[str, Any]]


def write_library(folder: Path, name: str, adapter: str | bytes = GOOD) -> Path:
    """Write a library of one metric and its environment below `folder`; return the library's own folder."""
    own = folder / "adapters" / name
    own.mkdir(parents=True)
    (own / "library.toml").write_text(TOML)
    (own / "adapter.py").write_bytes(adapter.encode() if isinstance(adapter, str) else adapter)
    environment_of(folder / "environments" / name)
    return own


def command(folder: Path, *words: str, libraries: tuple[str, ...] = ("good",), out: str = "report") -> list[str]:
    """Return the command that audits libraries written below `folder`."""
    chosen = [word for name in libraries for word in ("-l", name)]
    return [
        sys.executable, "-m", "bench.faults.stand_in", str(folder / "environments"), "run", "--dataset", DATASET,
        "-k", "5", "--jobs", "2", "--adapters", str(folder / "adapters"), *chosen, "--out", str(folder / out), *words,
    ]  # fmt: skip


def variables(folder: Path) -> dict[str, str]:
    """Return the environment variables of a run: its temporary folders lie below `folder`."""
    (folder / "tmp").mkdir(exist_ok=True)
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(folder / "tmp"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


_WITHOUT_PACKAGES = f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n'.encode()
_DEEP = """\
import os
for _ in range(2000):
    os.mkdir("d" * 20)
    os.chdir("d" * 20)
raise ImportError
"""
BROKEN: dict[str, Callable[[Path], object]] = {
    "no adapter": lambda own: (own / "adapter.py").unlink(),
    "an adapter with a syntax error": lambda own: (own / "adapter.py").write_text("def (:\n"),
    "an adapter of bytes": lambda own: (own / "adapter.py").write_bytes(bytes(range(256))),
    "an empty adapter": lambda own: (own / "adapter.py").write_text(""),
    "an adapter without FUNCTIONS": lambda own: (own / "adapter.py").write_text("prepare = None\n"),
    "an adapter that is a pipe": lambda own: replace_file(PLACES["pipe"], own / "adapter.py"),
    "an adapter that is a folder": lambda own: replace_file(PLACES["folder"], own / "adapter.py"),
    "an adapter that is a loop": lambda own: replace_file(PLACES["loop"], own / "adapter.py"),
    "an adapter of 20 MB": lambda own: (own / "adapter.py").write_text(GOOD + "(" * 20_000_000),
    "a tree of 2,000 folders": lambda own: (own / "adapter.py").write_text(_DEEP),
    "a python that is no program": lambda own: _python(own, b"\x00\x01\x02", 0o755),
    "a python that may not be run": lambda own: _python(own, b"#!/bin/sh\n", 0o644),
    "a python that ends at once": lambda own: _python(own, b"#!/bin/sh\nexit 3\n", 0o755),
    "a python that hangs": lambda own: _python(own, b"#!/bin/sh\nsleep 600\n", 0o755),
    "a python that is missing": lambda own: _python(own, None, 0),
    "a python without packages": lambda own: _python(own, _WITHOUT_PACKAGES, 0o755),
}


def _python(own: Path, content: bytes | None, mode: int) -> None:
    python = own.parents[1] / "environments" / own.name / "bin" / "python"
    python.unlink()
    if content is not None:
        python.write_bytes(content)
        python.chmod(mode)


def faults() -> Iterator[Trial]:
    """Yield everything that goes wrong with a whole audit."""
    for name, damage in BROKEN.items():
        yield Trial("one library of two", name, partial(_beside, damage))
    for name, prepare in _OUTPUTS.items():
        yield Trial("output", name, partial(_printed, prepare))
    for place in ("/proc", "/dev/shm"):
        if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0:
            yield Trial("system", f"{place} is empty and read-only", partial(_without, place))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        for seconds in (0.2, 1.0, 2.0, 3.5, 6.0):
            yield Trial("signals", f"{number.name} after {seconds} s", partial(_ended_by, number, seconds))
    yield Trial("signals", "SIGINT twice", partial(_ended_by, signal.SIGINT, 3.0, twice=True))


def _ran(folder: Path, words: list[str], **given: Any) -> subprocess.CompletedProcess[str]:
    given = {"env": variables(folder), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **given}
    return subprocess.run(words, cwd=ROOT, text=True, timeout=_SECONDS, check=False, **given)


def _beside(damage: Callable[[Path], object], folder: Path) -> list[str]:
    write_library(folder, "good")
    damage(write_library(folder, "bad"))
    done = _ran(folder, command(folder, "--timeout", "15", libraries=("bad", "good")))
    wrong = unclear(done.returncode, done.stdout, done.stderr)
    if done.returncode != 3:
        wrong.append(f"exit code {done.returncode}, though a library that was named is not measured")
    try:
        rows = {row.library: row for row in read_result(folder / "report").libraries}
    except ReportError as error:
        return [*wrong, f"{LOST}the report: {error.message}"]
    if rows["good"].status != "audited":
        wrong.append(f"{LOST}the library beside it is {rows['good'].status}: {rows['good'].reason}")
    if rows["bad"].status == "audited" or not rows["bad"].reason:
        wrong.append(f"the broken one is {rows['bad'].status}: {rows['bad'].reason}")
    return [*wrong, *left_behind(folder)]


def _limited() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


_OUTPUTS: dict[str, Prepare] = {
    "stdout is full": lambda folder: {"stdout": Path("/dev/full").open("w")},  # noqa: SIM115
    "stderr is full": lambda folder: {"stderr": Path("/dev/full").open("w")},  # noqa: SIM115
    "stdout is closed": lambda folder: {"preexec_fn": lambda: os.close(1)},
    "stderr is closed": lambda folder: {"preexec_fn": lambda: os.close(2)},
    "all are closed": lambda folder: {"preexec_fn": lambda: os.closerange(0, 3)},
    "nobody reads": lambda folder: {"stdout": _pipe_without_reader()},
    "ASCII only": lambda folder: {"env": {**variables(folder), "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}},
    "no TMPDIR": lambda folder: {"env": {**variables(folder), "TMPDIR": str(folder / "none")}},
    "a loop for XDG_CACHE_HOME": lambda folder: {"env": {**variables(folder), "XDG_CACHE_HOME": _loop(folder)}},
    "files may not grow": lambda folder: {"preexec_fn": _limited},
    "no HOME": lambda folder: {"env": {k: v for k, v in variables(folder).items() if k != "HOME"}},
    "few open files": lambda folder: {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))},
}


def _loop(folder: Path) -> str:
    (folder / "loop").symlink_to(folder / "loop")
    return str(folder / "loop")


def _pipe_without_reader() -> int:
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def _printed(prepare: Prepare, folder: Path) -> list[str]:
    write_library(folder, "good")
    before = _earlier_report(folder)
    done = _ran(folder, command(folder), **prepare(folder))
    wrong = unclear(done.returncode if done.returncode != 2 or done.stderr else 0, done.stdout or "", done.stderr or "")
    return [*wrong, *half_report(folder / "report", before, done.returncode == 0), *left_behind(folder)]


def _without(place: str, folder: Path) -> list[str]:
    write_library(folder, "good")
    hidden = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o ro none "$0" && exec "$@"', place]
    done = _ran(folder, [*hidden, *command(folder)])
    return [*unclear(done.returncode, done.stdout, done.stderr, place), *left_behind(folder)]


def _ended_by(number: signal.Signals, seconds: float, folder: Path, *, twice: bool = False) -> list[str]:
    write_library(folder, "good")
    before = _earlier_report(folder)
    process = subprocess.Popen(
        command(folder), env=variables(folder), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(seconds)
    for _ in range(1 + twice):
        process.send_signal(number)
        time.sleep(0.05)
    _, err = process.communicate(timeout=_SECONDS)
    wrong = []
    if process.returncode not in (0, 130, -number):
        wrong.append(f"exit code {process.returncode}: {err[-300:]}")
    killed = number == signal.SIGKILL or twice or seconds < 1  # before it listens
    done = process.returncode == 0
    return [*wrong, *half_report(folder / "report", before, done), *left_behind(folder, folders=not killed)]


def _earlier_report(folder: Path) -> float:
    """Write something in the place of each file of a report; return the time at which this was done."""
    (folder / "report").mkdir()
    for name in FILES:
        (folder / "report" / name).write_text(f"the {name} from before")
    time.sleep(0.02)  # the clock of files goes in steps
    return time.time()


def half_report(report: Path, since: float, finished: bool) -> list[str]:
    """Return what is wrong with a report, which is either from before `since`, or missing, or new and whole."""
    written = {name: (report / name).stat().st_mtime if (report / name).exists() else 0.0 for name in FILES}
    others = sorted(path.name for path in report.iterdir() if path.name not in FILES)
    wrong = [f"{LOST}left in the report's folder: {others}"] if others else []
    old = [name for name in FILES if written[name] < since]
    if len(old) == len(FILES) and not finished:
        return wrong
    if old:
        return [*wrong, f"{LOST}half a report: {old} are from before"]
    try:
        read_result(report)
    except ReportError as error:
        return [*wrong, f"{LOST}the report: {error.message}"]
    whole = (report / "index.html").read_bytes().rstrip().endswith(b"</html>")
    return wrong if whole else [*wrong, f"{LOST}half a page"]


def left_behind(folder: Path, *, folders: bool = True) -> list[str]:
    """Return a line for each process that runs on, each temporary folder that stays, and damaged caches."""
    wrong = left_running(folder)
    if folders:
        kept = [path.name for path in (folder / "tmp").iterdir() if path.name.startswith("recsys-audit-")]
        wrong += [f"{LOST}the temporary folder {name} stays" for name in kept]
    for path in (folder / "environments").glob("*/answers/*.jsonl"):
        try:
            recording_file.read_cache(path)
        except UserError as error:
            wrong.append(f"{LOST}damaged cache: {error.message}")
    for path in (folder / "environments").glob("*/findings/*.json"):
        head, *body = path.read_text(errors="replace").splitlines() or [""]
        if len(body) != 1 or head != first_line(body[0]):
            wrong.append(f"{LOST}damaged findings: {path}")
    return wrong
