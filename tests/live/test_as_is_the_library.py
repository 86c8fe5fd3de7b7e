"""``audit evaluate --as LIBRARY`` gives what the library itself gives on files of a user's kind, or says why not.

What is compared is printed with its counts: ``pytest -s``. ``AUDIT_EXAMPLES=10`` draws ten times as many files. The
long form asks every version of the usual run.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from recsys_metric_audit.audit.cli.evaluation.library_definitions import Wanted, library_definitions
from recsys_metric_audit.audit.cli.shared.inputs import choose_versions
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover, select
from recsys_metric_audit.audit.process.protocol import Outcome
from tests.support.as_library import Compared, answers, compared, files_of
from tests.support.users_files import Drawn

pytestmark = pytest.mark.live

EXAMPLES = int(os.environ.get("AUDIT_EXAMPLES", "1"))
SAMPLE = ["rs_metrics", "scikit_learn", "ml_metrics", "pytrec_eval"]
USUAL = [
    f"{manifest.name}=={version.version}"
    for manifest, version in choose_versions(None, None, every=False)
    if version.git is None and not version.unavailable  # a recording answers no other files
]
FILES = 60 * EXAMPLES
"""So many files are asked of every usual version."""
LEAST = 20_000


@pytest.mark.parametrize("library", SAMPLE)
def test_a_sample_gives_the_number_or_the_refusal_of_the_library(library: str) -> None:
    assert _compared(library, 60 * EXAMPLES).wrong == {}


@pytest.mark.long
@pytest.mark.parametrize("version", USUAL)
def test_every_usual_version_gives_the_number_or_the_refusal_of_the_library(version: str) -> None:
    assert _compared(version, FILES).wrong == {}


@pytest.mark.long
def test_twenty_thousand_comparisons_were_made_over_the_usual_versions() -> None:
    total = sum((_compared(version, FILES).counts for version in USUAL), Counter[str]())
    print(f"{len(USUAL)} versions: {total.total():,} comparisons: {dict(total)}")
    assert total.total() - total["unaskable"] >= LEAST


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


@cache
def _compared(library: str, count: int) -> Compared:
    files, told = _asked(library, count)
    made = compared(library_definitions(library, [], []).wanted, files, told)
    print(f"{library}: {made.counts.total():,} comparisons: {dict(made.counts)}")
    assert made.counts["same"] > count
    return made
