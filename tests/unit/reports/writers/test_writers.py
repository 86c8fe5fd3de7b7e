"""Writers of pages and folders: README, docs, casebook, data set, report folder."""

from __future__ import annotations

import errno
import os
import re
from functools import cache
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.pins.pin_file import run_for_paper
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.experiments.outcome import no_data
from recsys_metric_audit.reports.model.report_error import ReportError
from recsys_metric_audit.reports.model.result import Behaviour, EvidenceSummary, Finding, Result
from recsys_metric_audit.reports.model.result_file import PACKAGED_RUN, LoadedRun, packaged_run, read_result
from recsys_metric_audit.reports.paper import recorded as recorded_answers
from recsys_metric_audit.reports.paper.claims import load_claims
from recsys_metric_audit.reports.paper.reaudit import Reaudit, reaudit
from recsys_metric_audit.reports.paper.recorded import recorded
from recsys_metric_audit.reports.pins.expectation import FunctionExpectation, VersionExpectation
from recsys_metric_audit.reports.pins.meaning_changes import LibraryMeanings, version_steps
from recsys_metric_audit.reports.renderers.markdown import escape
from recsys_metric_audit.reports.renderers.reaudit_formats import as_markdown
from recsys_metric_audit.reports.tables.tidy_rows import TIDY_COLUMNS
from recsys_metric_audit.reports.wording.meanings import open_cutoff
from recsys_metric_audit.reports.writers import data_set, readme
from recsys_metric_audit.reports.writers.casebook import (
    PAGE,
    Thread,
    load_answers,
    load_threads,
    main,
    page,
    with_function,
)
from recsys_metric_audit.reports.writers.history_page import history_page
from recsys_metric_audit.reports.writers.paper_pages import INDEX, index, page_keys, write_pages
from recsys_metric_audit.reports.writers.report_folder import write_report
from tests.support import result_samples as samples
from tests.support.result_samples import differing, finding, library, result, small_result, witness

# Hold generated pages: the README, papers, history, casebook.

# The recorded run keeps what tables and issues need; a README without its markers is refused.


def test_the_recorded_run_keeps_what_issues_quote() -> None:
    claim = {"claimed": "recall@k", "matches_claim": False, "script": "import beta", "witness": witness()}
    places = {"beta.recall": "docstring", "beta.ndcg": "docstring"}
    made = (differing("recall", "beta", "denominator", "min", 0.2, **claim), finding("ndcg", "beta", script="import"))
    kept = readme.reduce_run(result(libraries=(library("beta", claims=places),), findings=made))
    assert kept.libraries[0].claims == {"beta.recall": "docstring"}
    assert [each.script for each in kept.findings] == ["import beta", None]
    assert kept.findings[0].witness is not None and len(kept.findings[0].witness.users) == 1


def test_a_renewed_run_has_the_new_rows_in_place_and_the_others_as_they_were() -> None:
    def of(name: str, version: str, value: float) -> Finding:
        return finding("recall", name, function=f"{name}.recall", value=value).model_copy(update={"version": version})

    versions = [("beta", "2.0"), ("beta", "1.0"), ("delta", "1.0")]
    old = result(
        libraries=tuple(library(*each) for each in versions), findings=tuple(of(*each, 0.25) for each in versions)
    )
    made = [("delta", "1.0"), ("gamma", "1.0"), ("beta", "3.0")]
    new = result(libraries=tuple(library(*each) for each in made), findings=tuple(of(*each, 0.5) for each in made))
    found = readme.renewed(old, new)
    told = [("beta", "3.0"), ("beta", "2.0"), ("beta", "1.0"), ("delta", "1.0"), ("gamma", "1.0")]
    assert [(each.library, each.version) for each in found.libraries] == told
    assert [(each.library, each.version, each.value) for each in found.findings] == [
        (*told[0], 0.5), (*told[1], 0.25), (*told[2], 0.25), (*told[3], 0.5), (*told[4], 0.5)
    ]  # fmt: skip


def test_of_the_behaviours_the_recorded_run_keeps_those_of_a_class() -> None:
    kept = Behaviour(name="changes", text="0.75 becomes 0.5", slug="score-scale")
    made = finding(behaviours={"score_scale": kept, "padding": Behaviour(name="skipped")})
    (reduced,) = readme.reduce_run(result(libraries=(library("alpha"),), findings=(made,))).findings
    assert reduced.behaviours == {"score_scale": kept}


def test_of_the_evidence_the_packaged_run_keeps_what_is_missing() -> None:
    seen = EvidenceSummary(cases=9, unpredicted="No definition predicts ties.", separating_case="a short list")
    made = (finding(verdict="unexplained", signature=None, evidence=seen), finding(function="b", evidence=seen))
    none, known = readme.reduce_run(result(libraries=(library("alpha"),), findings=made)).findings
    assert none.evidence == EvidenceSummary(unpredicted="No definition predicts ties.", separating_case="a short list")
    assert known.evidence == EvidenceSummary()


@pytest.mark.slow
def test_a_readme_without_markers_is_refused() -> None:
    with pytest.raises(ReportError, match="markers"):
        readme.replace_tables("# nothing here\n", read_result(PACKAGED_RUN))


# The casebook: its page is made of recorded answers, and these are what the threads say.

ROOT = Path(__file__).parents[4]
THREADS = with_function()


def test_the_page_is_what_the_recorded_answers_make(tmp_path: Path) -> None:
    assert main([str(tmp_path / "casebook.md")]) == 0
    assert (tmp_path / "casebook.md").read_text(encoding="utf-8") == (ROOT / PAGE).read_text(encoding="utf-8")


def test_another_answer_makes_another_page() -> None:
    answers = load_answers()
    changed = {key: each.model_copy(update={"signature": "ndcg@k|discount:ln"}) for key, each in answers.items()}
    assert page(changed) != page(answers)


def test_every_function_has_an_answer() -> None:
    assert set(load_answers()) == {thread.key for thread in THREADS}
    assert len(THREADS) > 40


@pytest.mark.parametrize("thread", THREADS, ids=lambda thread: thread.key)
def test_the_recorded_formula_is_what_the_thread_says(thread: Thread) -> None:
    answer = load_answers()[thread.key]
    assert answer.contradiction == ""
    if thread.unnamed:
        assert answer.signature is None
        return
    assert answer.signature is not None
    found, said = parse(open_cutoff(answer.signature)), parse(thread.says)
    assert formula_of(found) == formula_of(said.with_(k=found.k))
    named = [pair.partition(":") for pair in thread.says.split("|")[1:]]
    assert {axis: found.axes[axis] for axis, _, _ in named} == {axis: value for axis, _, value in named}


@pytest.mark.parametrize("thread", THREADS, ids=lambda thread: thread.key)
def test_every_function_compiles_and_is_the_one_named(thread: Thread) -> None:
    defined: dict[str, object] = {}
    exec(compile(thread.function, thread.key, "exec"), defined)
    assert callable(defined[thread.name])


def test_keys_are_used_once() -> None:
    keys = [thread.key for part in load_threads() for thread in part.thread]
    assert len(keys) == len(set(keys))


def test_a_function_without_what_its_thread_says_is_refused() -> None:
    given = {"links": ["a/b#1"], "question": "?", "answer": "!", "tell": "", "metric": "ndcg"}
    with pytest.raises(ValidationError, match="either says or unnamed"):
        Thread.model_validate({**given, "function": "def f(): pass"})


# The page of what changed sets the paper's values beside what was found in its version and in the newest.


def meanings(**formulas: str) -> LibraryMeanings:
    """Return rs_metrics, whose 0.5.0 the paper measured, with the formula of its MAP by version (``_`` for a dot)."""
    pins = tuple(
        VersionExpectation(
            library="rs_metrics", version=version.strip("v").replace("_", "."), dataset="d", k=20,
            functions={
                "rs_metrics.mapr": FunctionExpectation(
                    metric="average_precision", status="measured", verdict="variant", formulas=(formula,)
                )
            },
        )
        for version, formula in formulas.items()
    )  # fmt: skip
    return LibraryMeanings("rs_metrics", "rs_metrics", pins, {}, version_steps(pins, {}, lambda *_: ""))


def run() -> Result:
    """Return a run of the newest version only: its MAP is 0.25."""
    name, version = "rs_metrics", "0.6.0"
    own = finding("average_precision", name, version, function="rs_metrics.mapr", value=0.25)
    return result(libraries=(library(name, version),), findings=(own,))


def test_the_paper_then_and_now() -> None:
    page = history_page([meanings(v0_5_0="average_precision@k|denominator:r", v0_6_0="average_precision@k")], run())
    assert "| rs\\_metrics | MAP | 0.032 | divides by r | 0.5.0: divides by r | 0.6.0: **canonical [0.250]** |" in page
    assert "1 library with 2 versions are compared. The formula of a metric changed in 1 of them: rs\\_metrics." in page


def test_a_value_that_is_canonical_throughout_stands_in_a_line_of_its_own() -> None:
    same = meanings(v0_5_0="hit_rate@k", v0_6_0="hit_rate@k")
    entries = {
        "rs_metrics.hitrate": FunctionExpectation(metric="hit_rate", status="measured", formulas=("hit_rate@k",))
    }
    pins = tuple(pin.model_copy(update={"functions": entries}) for pin in same.pins)
    page = history_page([LibraryMeanings("rs_metrics", "rs_metrics", pins, {}, same.steps)], result())
    assert "Canonical as the paper says, in its version and in the newest: rs\\_metrics (HitRate)." in page
    assert "| rs\\_metrics | NDCG | 0.093 | canonical | 0.5.0: not known | 0.6.0: not known |" in page


# Pages on papers are one each, with an index, and those in docs/papers/ say today's answers.

PAGES = Path(__file__).parents[4] / "docs" / "papers"
RENEW = "renew them: make docs"
ASKED: set[str] = set()
"""Keys of the papers of which an experiment asked for predictions."""


@cache
def run_of_paper_pages(key: str) -> LoadedRun:
    """Return the packaged run, with pins of libraries that it does not have."""
    return run_for_paper(packaged_run(), key, lambda: discover([adapters_dir()]))


@cache
def audited(key: str) -> Reaudit:
    """Return the answers that need no data but the packaged run."""

    def refuse(dataset: str, recommender: str) -> Case:
        ASKED.add(key)
        return no_data(dataset, recommender)

    return reaudit(run_of_paper_pages(key).result, key, refuse)


@pytest.mark.slow
def test_a_page_for_each_paper_and_an_index(tmp_path: Path) -> None:
    audited = write_pages(tmp_path / "new", lambda _: LoadedRun(samples.result(), "a test"), no_data)
    assert tuple(each.key for each in audited) == page_keys()
    names = {each.name for each in (tmp_path / "new").iterdir()}
    assert names == {INDEX, *(f"{key}.md" for key in page_keys())} == {each.name for each in PAGES.glob("*.md")}
    page = (tmp_path / "new" / "jeunen2024.md").read_text(encoding="utf-8")
    assert "From a test. 1 claim: 1 yes." in page, "the smallest example needs no data"
    assert "<https://arxiv.org/abs/2307.15053>" in page and "- Not verifiable here: which of the two orders" in page


def test_the_index_names_every_claim_with_its_answer() -> None:
    shown = index([audited("sun2020")])
    assert "(sun2020.md) | An MRR can be above 1 | yes, but |" in shown


FROM_YES_TO_NO = ("yes", "yes, but", "in part", "no")


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
            own, here = (FROM_YES_TO_NO.index(each) for each in (told[str(claim.number)], found.answer))
            # The worst answer counts, and predictions may make it worse.
            assert own == here or (key in ASKED and own > here), RENEW


@pytest.mark.slow
def test_pages_without_predictions_are_word_for_word_those_of_the_recorded_run() -> None:
    made = {key: as_markdown(audited(key), run_of_paper_pages(key).origin) for key in page_keys()}
    whole = made.keys() - ASKED
    assert {"bassani2022", "macavaney2022", "michiels2024"} <= whole
    for key in whole:
        assert (PAGES / f"{key}.md").read_text(encoding="utf-8") == made[key], RENEW


@pytest.mark.parametrize("key", page_keys())
def test_a_page_tells_the_recorded_answers(key: str) -> None:
    page = (PAGES / f"{key}.md").read_text(encoding="utf-8")
    assert page == as_markdown(recorded(key), run_of_paper_pages(key).origin), RENEW


def test_answers_are_recorded_as_they_were_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_answers, "RECORDED", tmp_path / "answers.json.xz")
    recorded_answers.write_recorded([audited("sun2020")])
    assert recorded("sun2020") == audited("sun2020")


@pytest.mark.slow
def test_some_answers_need_no_data() -> None:
    found = {key for key in page_keys() if any(told.answer != "unknown" for told in audited(key).told)}
    assert {"manzhos2025", "michiels2024", "sun2020", "trappolini2025"} <= found


# The data set is the findings twice over, with the page that says what its columns mean.


def test_both_files_hold_the_same_rows(tmp_path: Path) -> None:
    paths = data_set.write_data_set(small_result(), tmp_path / "new")
    assert [path.name for path in paths] == ["findings.parquet", "findings.csv", "README.md"]
    parquet, csv = pq.read_table(paths[0]), pyarrow.csv.read_csv(paths[1])
    assert parquet.column_names == csv.column_names == list(TIDY_COLUMNS)
    assert parquet["function"].to_pylist() == csv["function"].to_pylist()
    assert len(parquet) == len(small_result().findings)
    page = paths[2].read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in parquet.column_names)
    assert "CC-BY-4.0" in page


def test_the_recorded_run_is_written_where_none_is_named(tmp_path: Path) -> None:
    data_set.main(str(tmp_path))
    table = pq.read_table(tmp_path / "findings.parquet")
    assert len(table) > 400 and set(table["k"].to_pylist()) == {20, None}


# The report folder: three files, written all or none.


def test_a_report_is_three_files_and_nothing_beside_them(tmp_path: Path) -> None:
    paths = write_report(result(), tmp_path / "deep" / "report")
    assert [path.name for path in paths] == ["audit.json", "index.html", "tables.md"]
    assert sorted(path.name for path in paths[0].parent.iterdir()) == ["audit.json", "index.html", "tables.md"]
    assert paths[1].read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_full_disk_leaves_the_old_report_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_report(result(), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    calls = []

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ReportError, match="No space left on device") as caught:
        write_report(result(tool="9.9.9"), tmp_path)
    assert "--out" in caught.value.hint
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
