"""``python -m bench.corpus``: ask ``audit identify`` about the functions of tests/functions_of_others.

    python -m bench.corpus                          # all: half an hour
    python -m bench.corpus contests one_positive    # those whose name has one of these words
    python -m bench.corpus --write docs/corpus.md   # and write the page of what was told

Each is asked in a process of its own, as by the command, and held against the answer that was worked out by hand. Where
no call of a function is known, it is asked again through a wrapper of one user's items, as the error message proposes,
and what is told is held against a slow oracle. Ends with 1 where something false is told.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.inhouse.identify_function import checked_request, identify_function
from recsys_metric_audit.audit.inhouse.summary import Summary
from recsys_metric_audit.reports.model.atomic_write import write_file
from tests.support.functions_of_others import FOLDER, OfOthers, fault, table
from tests.support.wrapped_functions import DRAWS, contradicting_input, identify_wrapped

RIGHT, OPEN, REFUSED, UNEXPLAINED, FALSE = "right", "rightly open", "not called", "unexplained", "false"


@dataclass(frozen=True)
class Asked:
    """Holds what was told of a function: the outcome, in words what was told, and the seconds that it took.

    ``wrapped`` is what was told through a wrapper; None where a call of it is known.
    """

    row: OfOthers
    outcome: str
    told: str
    seconds: float
    wrapped: Asked | None = None


def asked(row: OfOthers) -> Asked:
    """Return what ``audit identify --metric`` tells of a function."""
    began = time.monotonic()
    try:
        request = checked_request(
            str(FOLDER / row.name), row.metric, None, k=row.k, shape=None, python=None, seconds=30.0
        )
        result = identify_function(request)
        found = result.summary or result.error
    except UserError as error:
        found = error
    seconds = time.monotonic() - began
    assert found is not None, row.name
    if isinstance(found, UserError):
        told = _first_line(found, f"{FOLDER / row.name}")
        return Asked(row, REFUSED, told, seconds, asked_wrapped(row) if row.area else None)
    if found.signature is None:
        outcome = OPEN if row.open or not fault(row, found) else UNEXPLAINED
        return Asked(row, outcome, _words(found), seconds)
    told = f"{_words(found)}; {result.several}" if result.several else _words(found)
    false = fault(row, found) or (row.several and not result.several)
    return Asked(row, FALSE if false else RIGHT, told, seconds)


def asked_wrapped(row: OfOthers) -> Asked:
    """Return what is told of a function through a wrapper of one user's items."""
    began = time.monotonic()
    with redirect_stdout(StringIO()):  # of functions that print
        result = identify_wrapped(row)
        seconds, found = time.monotonic() - began, result.summary
        if found is None:
            assert result.error is not None
            return Asked(row, REFUSED, _first_line(result.error, result.request.target.name), seconds)
        if found.signature is None:
            return Asked(row, OPEN if row.open else UNEXPLAINED, _words(found), seconds)
        return Asked(row, FALSE if contradicting_input(row, result) else RIGHT, _words(found), seconds)


def _first_line(error: UserError, name: str) -> str:
    """Return the first line of an error without the name of the function, which is a path."""
    return error.message.splitlines()[0].removeprefix(name).lstrip(": ")


def _words(found: Summary) -> str:
    near = found.finding.near
    if found.signature is None:
        return near.words() if near else f"no definition fits ({found.finding.verdict})"
    return f"{found.finding.scope.of(found.signature)} ({found.finding.verdict})"


def page(answers: list[Asked]) -> Iterator[str]:
    """Yield the lines of the page: counts, seconds, and a table with a row a function."""
    yield "# Functions from public code, and what is told of them\n"
    yield (
        'Written by `make bench-corpus BENCH="--write docs/corpus.md"`: do not edit. Each function of the'
        " [tables](../tests/functions_of_others/table.toml) in `tests/functions_of_others` was rewritten after the file"
        " named. What it computes was worked out by hand from that file before this tool was asked, and held against a"
        " slow oracle on drawn inputs. What is not called was refused, with what was tried, the calls that there are,"
        " and a wrapper to be filled in. It was asked again through such a wrapper, which makes its arguments of one"
        " user's items and relevant items; then what is told is right if the slow oracle gives the same on"
        f" {DRAWS} drawn inputs.\n"
    )
    for line in summary(answers):
        yield f"* {line}"
    yield "\n| function | after | told | outcome |\n|---|---|---|---|"
    for each in answers:
        told = each.told if each.wrapped is None else f"{each.told}. Wrapped: {each.wrapped.told}"
        outcome = each.outcome if each.wrapped is None else f"{each.outcome}; wrapped: {each.wrapped.outcome}"
        told = told.replace("|", "\\|").replace("<", "&lt;")
        yield f"| `{each.row.name}` | {each.row.source or 'see the file'} | {told} | {outcome} |"


def summary(answers: list[Asked]) -> Iterator[str]:
    """Yield lines with the number of each outcome, and the seconds."""
    wrapped = [each.wrapped for each in answers if each.wrapped is not None]
    sources = {each.row.source.partition(":")[0] for each in answers if each.row.source}
    yield f"{len(answers)} functions; {len(sources)} public repositories named"
    yield f"as they are: {_counts(answers)}"
    yield f"of those not called, through a wrapper of one user's items: {_counts(wrapped)}"
    amended = sum(bool(each.row.amended) for each in answers)
    yield f"{amended} answers by hand were amended after it had been asked; their rows in `table.toml` say why"
    seconds = [each.seconds for each in answers]
    yield f"seconds: median {statistics.median(seconds):.1f}, slowest {max(seconds):.1f}"


def _counts(answers: list[Asked]) -> str:
    counted = Counter(each.outcome for each in answers)
    return ", ".join(f"{counted[outcome]} {outcome}" for outcome in (RIGHT, OPEN, REFUSED, UNEXPLAINED, FALSE))


def main(words: list[str]) -> int:
    """Ask about the functions named, or all; print what is told and the seconds; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.corpus", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="WORD")
    parser.add_argument("--jobs", type=int, default=1, help="functions asked at a time; two slow each other down")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the page of what was told")
    chosen = parser.parse_args(words)
    rows = [row for row in table() if not chosen.names or any(word in row.name for word in chosen.names)]
    answers = []
    with ProcessPoolExecutor(chosen.jobs) as pool:
        for each in pool.map(asked, rows):
            answers.append(each)
            right = f"; right: {' or '.join(each.row.right) or 'open'}" if each.outcome not in (RIGHT, OPEN) else ""
            print(f"{each.outcome:<12} {each.row.name:<52} {each.seconds:5.1f} s  {each.told}{right}", flush=True)
            if (again := each.wrapped) is not None:
                print(f"  wrapped: {again.outcome:<50} {again.seconds:5.1f} s  {again.told}", flush=True)
    for line in summary(answers):
        print(line)
    if chosen.write:
        write_file("\n".join(page(answers)) + "\n", chosen.write)
    return 1 if any(each.outcome == FALSE for one in answers for each in (one, one.wrapped) if each) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
