"""Pages on papers are one each, with an index, and those in docs/papers/ say today's answers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.pins.pinned_findings import run_for_paper
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.experiments.outcome import no_data
from recsys_metric_audit.reports.model.default_run import LoadedRun, packaged_run
from recsys_metric_audit.reports.paper.claims import load_claims
from recsys_metric_audit.reports.paper.reaudit import Reaudit, reaudit
from recsys_metric_audit.reports.renderers.markdown import escape
from recsys_metric_audit.reports.renderers.reaudit_formats import as_markdown
from recsys_metric_audit.reports.writers.paper_pages import INDEX, index, page_keys, write_pages
from tests.support import result_samples as samples

PAGES = Path(__file__).parents[4] / "docs" / "papers"
RENEW = "renew them: make docs"
ASKED: set[str] = set()
"""Keys of the papers of which an experiment asked for predictions."""


@cache
def run(key: str) -> LoadedRun:
    """Return the packaged run, with pins of libraries that it does not have."""
    return run_for_paper(packaged_run(), key, lambda: discover([adapters_dir()]))


@cache
def audited(key: str) -> Reaudit:
    """Return the answers that need no data but the packaged run."""

    def refuse(dataset: str, recommender: str) -> Case:
        ASKED.add(key)
        return no_data(dataset, recommender)

    return reaudit(run(key).result, key, refuse)


@pytest.mark.slow
def test_a_page_for_each_paper_and_an_index(tmp_path: Path) -> None:
    names = write_pages(tmp_path / "new", lambda _: LoadedRun(samples.result(), "a test"), no_data)
    assert set(names) == {INDEX, *(f"{key}.md" for key in page_keys())} == {each.name for each in PAGES.glob("*.md")}
    page = (tmp_path / "new" / "jeunen2024.md").read_text(encoding="utf-8")
    assert "From a test. 1 claim: 1 yes." in page, "the smallest example needs no data"
    assert "<https://arxiv.org/abs/2307.15053>" in page and "- Not verifiable here: which of the two orders" in page


def test_the_index_names_every_claim_with_its_answer() -> None:
    shown = index([audited("sun2020")])
    assert "(sun2020.md) | An MRR can be above 1 | yes, but |" in shown


@pytest.mark.parametrize("key", page_keys())
@pytest.mark.slow
def test_the_pages_tell_every_claim_as_it_stands_today(key: str) -> None:
    page = (PAGES / f"{key}.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^## (\d+)\. .*: ([^:\n]+)$", page, re.MULTILINE))
    listed = (PAGES / INDEX).read_text(encoding="utf-8")
    claims = load_claims(key).claim
    assert list(told) == [str(claim.number) for claim in claims], RENEW
    for claim, found in zip(claims, audited(key).told, strict=True):
        assert f"| {escape(claim.title)} | {told[str(claim.number)]} |" in listed, RENEW
        if found.answer != "unknown":  # an answer that needs predictions is unknown here
            assert told[str(claim.number)] == found.answer, RENEW


@pytest.mark.slow
def test_pages_without_predictions_are_word_for_word_those_of_the_recorded_run() -> None:
    made = {key: as_markdown(audited(key), run(key).origin) for key in page_keys()}
    whole = made.keys() - ASKED
    assert {"bassani2022", "macavaney2022", "michiels2024"} <= whole
    for key in whole:
        assert (PAGES / f"{key}.md").read_text(encoding="utf-8") == made[key], RENEW


@pytest.mark.slow
def test_some_answers_need_no_data() -> None:
    found = {key for key in page_keys() if any(told.answer != "unknown" for told in audited(key).told)}
    assert {"manzhos2025", "michiels2024", "sun2020", "trappolini2025"} <= found
