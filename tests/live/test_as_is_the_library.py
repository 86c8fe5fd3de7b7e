"""``audit evaluate --as LIBRARY`` gives what the library itself gives on files of a user's kind, or says why not.

What is compared is printed with its counts: ``pytest -s``. ``AUDIT_EXAMPLES=10`` draws ten times as many files.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from recsys_metric_audit.audit.cli.evaluation.library_definitions import library_definitions
from recsys_metric_audit.audit.cli.evaluation.wanted import Wanted
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover, select
from recsys_metric_audit.audit.process.protocol import Outcome
from tests.support.as_library import Compared, answers, compared, files_of
from tests.support.users_files import Drawn

pytestmark = pytest.mark.live

EXAMPLES = int(os.environ.get("AUDIT_EXAMPLES", "1"))
SAMPLE = ["rs_metrics", "scikit_learn", "ml_metrics", "pytrec_eval"]
MORE = ["cornac", "recbole", "rectools", "recommenders", "ranx", "ir_measures", "daisyrec"]


@pytest.mark.parametrize("library", SAMPLE)
def test_a_sample_gives_the_number_or_the_refusal_of_the_library(library: str) -> None:
    assert _compared(library, 60 * EXAMPLES).wrong == {}


@pytest.mark.long
@pytest.mark.parametrize("library", [*SAMPLE, *MORE])
def test_many_files_give_the_number_or_the_refusal_of_the_library(library: str) -> None:
    assert _compared(library, 400 * EXAMPLES).wrong == {}


WRONG = {
    "rs_metrics.ndcg": ("ideal", "all"),
    "rs_metrics.precision": ("denominator", "k"),
    "rs_metrics.mrr": ("relevance", "at_least_t"),
}
"""Functions with an axis on which each is given a wrong value."""


def test_a_wrong_signature_is_found() -> None:
    files, told = _asked("rs_metrics", 60)
    wanted = [_spoilt(each) for each in library_definitions("rs_metrics", [], []).wanted]
    assert WRONG.keys() <= compared(wanted, files, told).wrong.keys()


def _spoilt(wanted: Wanted) -> Wanted:
    changes = [WRONG[function] for function in wanted.functions if function in WRONG]
    return replace(wanted, definition=wanted.definition.with_(**dict(changes)))


@cache
def _asked(library: str, count: int) -> tuple[list[Drawn], dict[tuple[int, str], Outcome]]:
    manifest, version = select(discover([adapters_dir()]), [library])[0]
    with TemporaryDirectory() as folder:
        files = files_of(range(count), Path(folder))
    return files, answers(manifest, version, files)


def _compared(library: str, count: int) -> Compared:
    files, told = _asked(library, count)
    made = compared(library_definitions(library, [], []).wanted, files, told)
    print(f"{library}: {made.counts.total():,} comparisons: {dict(made.counts)}")
    assert made.counts["same"] > count
    return made
