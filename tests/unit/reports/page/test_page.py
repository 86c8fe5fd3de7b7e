"""``index.html`` as text: complete, self-contained, and nothing foreign in it becomes markup."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest

from bench.sixty import sixty
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.page.packed import unpack
from recsys_metric_audit.reports.page.page import build_page
from recsys_metric_audit.reports.renderers.html import render_report
from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment, rerun_command
from tests.support.compared_results import two_versions
from tests.support.extreme_results import HOSTILE, hostile
from tests.support.html_reader import Reader
from tests.support.html_reader import page_text as html
from tests.support.result_samples import CANONICAL, differing, finding, result

TEMPLATES = Path(__file__).parents[4] / "reports" / "templates"


@pytest.mark.parametrize("made", [result, hostile])
def test_every_element_is_closed_every_id_is_unique_and_every_link_arrives(made: object) -> None:
    reader = Reader(html(made()))  # type: ignore[operator]
    assert reader.open == []
    ids = reader.values("id")
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"\S+", name) for name in ids)
    for link in reader.values("href"):
        assert link[1:] in ids if link.startswith("#") else link.startswith(("https://", "http://"))


def test_nothing_is_fetched_and_one_script_runs() -> None:
    reader = Reader(html(result()))
    assert render_report(result()).count("<script") == 2, "the one that runs, and the packed part"
    tags = [tag for tag, _ in reader.elements]
    assert set(tags) & {"img", "link", "iframe", "object", "base", "embed", "image"} == set()
    assert tags.count("script") == 1
    assert not reader.values("style")
    assert not reader.values("src")
    assert not [name for _, given in reader.elements for name in given if name.startswith("on")]
    for file in ("style.css", "script.js"):
        raw = (TEMPLATES / file).read_text(encoding="utf-8")
        assert not re.search(r"url\(|@import|fetch\(|XMLHttp|innerHTML|</|https?:", raw), file


def test_the_policy_allows_this_style_and_this_script_and_nothing_else() -> None:
    text = html(result())
    digests = {}
    for tag in ("style", "script"):
        raw = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        assert raw
        digests[tag] = base64.b64encode(hashlib.sha256(raw[1].encode()).digest()).decode()
    policy = next(given["content"] for tag, given in Reader(text).elements if "http-equiv" in given)
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests['style']}'; script-src 'sha256-{digests['script']}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_foreign_text_is_shown_and_never_acts() -> None:
    text = html(hostile())
    reader = Reader(text)
    shown = "".join(reader.words)
    assert [tag for tag, _ in reader.elements].count("script") == 1
    assert not {tag for tag, _ in reader.elements} & {"img", "bold"}
    assert not [name for _, given in reader.elements for name in given if name.startswith("on")]
    assert "javascript:" not in "".join(reader.values("href"))
    assert HOSTILE[0] in shown
    assert HOSTILE[1] in shown
    assert HOSTILE[2] in shown, "a template's own marks are text"
    assert "\\u202egnp.exe" in shown
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text)


def test_the_whole_of_a_long_error_can_be_seen() -> None:
    shown = "".join(Reader(html(hostile())).words)
    assert "line 79" in shown
    assert shown.count("line 40\n") >= 1


def told(made: Result) -> str:
    return re.sub(r"\s+", " ", "".join(Reader(html(made)).words))


def test_everything_found_is_told() -> None:
    shown = told(result())
    for words in (
        "Do libraries compute the same metric?",
        "average_precision@k|denominator:r",
        "r: the area under the precision-recall curve",
        "min(k, r), the most hits there can be",
        "It computes MAP by another formula: divides by r, not by min(k, r).",
        "Not what its documentation says: average_precision@k",
        "Fits as well hit_rate@20|counts:precision",
        "No definition predicts what it gives on the smallest lists.",
        "Would tell them apart: a short list",
        "Largest deviation 2.2e-16",
        "Tolerance 1e-09",
        "Asked up to ranks up to 25",
        "Three relevant items, two places: divided by three instead of two.",
        "User u1: 3 relevant, library 0.3333333333333333, canonical 0.5",
        "not listed✓i12 gain 2",
        "sum over hits = 1/1 = 1 divided by r = 3: 1/3",
        "beta.average_precision, from the canonical 0.039 to 0.032: denominator moves it most, by −0.007.",
        "7 of 47 users off the diagonal",
        "a user without list skipped mean over 2 of 3 users",
        "print('one third')",
        "ties No two scores of a user are equal.",
        "IndexError: index 20 is out of bounds",
        "Python 3.7 was not found.",
        "imported, never used",
        "no accuracy metric",
        "the last 20 % of all ratings by time are held out",
        "12 users have no relevant item.",
        "numpy 1.26.4",
        "audit run --dataset movielens-100k -k 20",
        "2025-03-01 12:30 UTC",
    ):
        assert words in shown, words


def test_what_is_not_in_the_result_is_said_to_be_absent() -> None:
    bare = finding(
        "ndcg", verdict="variant", signature="ndcg@20|gain:exp2", differs_on=("gain",),
        definition=CANONICAL["ndcg"][0] | {"gain": "exp2"},
    )  # fmt: skip
    shown = told(result(findings=(bare,), blind={}, experiments=(), recommenders=()))
    for words in (
        "This result does not say which axes its data cannot identify.",
        "One recommender was measured, so nothing is ranked here.",
        "No experiment beyond the formula was made in this result.",
        "The difference was not taken apart into axes in this result.",
        "No per-user values to draw",
        "No script of its own in this result.",
        "The formula is stated by neither its own documentation nor a source of the catalogue.",
    ):
        assert words in shown, words


def test_a_finding_is_reproduced_by_its_own_command() -> None:
    data = result().dataset.model_copy(update={"name": "ml-100k:per-user"})
    assert rerun_command(result(dataset=data), finding()) == (
        "audit run -l alpha==1.0 --dataset ml-100k:per-user --recommender ease -k 20"
    )
    assert rerun_command(result(), finding()) == result().command, (
        "data of one's own has its files in the run's command"
    )
    odd = finding(name="a b;c")
    assert "'a b;c==1.0'" in rerun_command(result(dataset=data), odd)


@pytest.mark.parametrize(
    ("one", "other"), [(("a b", "c"), ("a-b", "c")), (("a", "b c"), ("a b", "c")), (("<", ""), (">", ""))]
)
def test_places_of_names_that_look_alike_differ(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert fragment("x", *one) != fragment("x", *other)
    assert fragment("x", *one) == fragment("x", *one)


def test_a_plain_name_stays_readable() -> None:
    assert finding_anchor(finding()) == "finding/alpha/1.0/alpha.ndcg/20"


def test_an_empty_run_is_a_page_too() -> None:
    shown = "".join(Reader(html(result(libraries=(), findings=(), reference=()))).words)
    assert "Nothing could be measured in this run." in shown
    assert "No library was in the run." in shown


@pytest.mark.slow
def test_sixty_versions_by_twelve_metrics_stay_small_with_all_their_evidence() -> None:
    made = sixty()
    assert len(made.libraries) == 60
    assert len({found.metric for found in made.findings}) == 12
    differing = [found for found in made.findings if found.verdict not in (None, "agrees")]
    assert all(found.witness and found.witness.worked and found.script and found.behaviours for found in differing)
    assert sum(bool(found.scatter) for found in differing) > 300
    assert sum(len(found.decomposition) > 2 for found in differing) > 150
    file = render_report(made)
    assert len(file.encode()) < 1_500_000, "half of what a page may have: real runs are richer"
    reader = Reader(unpack(file))
    assert reader.open == []
    ids = reader.values("id")
    assert len(ids) == len(set(ids))
    assert {finding_anchor(found) for found in made.findings} <= set(ids), "every finding can be linked to"
    assert {link[1:] for link in reader.values("href") if link.startswith("#")} <= set(ids)


def test_a_scatter_is_drawn_once_on_the_page_of_its_metric_and_used_by_every_meaning_that_looks_alike() -> None:
    made = two_versions()
    other = differing("ndcg", "alpha", "gain", "linear", 0.3, scatter=made.findings[0].scatter)
    made = made.model_copy(update={"findings": (made.findings[0], other)})
    (metric,) = build_page(made).metrics
    (drawn,) = metric.scatters
    assert [mark for mark, _ in drawn.marks] == ["a", "b"]
    reader = Reader(html(made))
    assert [given["href"] for tag, given in reader.elements if tag == "use"] == [f"#{drawn.shapes}"] * 2
    assert reader.values("id").count(drawn.shapes) == 1


@pytest.mark.slow
def test_the_handbook_part_has_the_notation_the_experiments_and_how_to_choose_a_metric() -> None:
    shown = told(result())
    for words in (
        "relevant items among the first n",
        "a user without list One user gets no recommendation.",
        "Choosing a metric",
        "Are ratings numbers, or yes and no?",
        "Varying the position of the one relevant item",
    ):
        assert words in shown, words


def test_templates_are_short_and_trust_nothing() -> None:
    files = sorted(TEMPLATES.glob("*.html"))
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 170
        assert not re.search(r"\|\s*safe|autoescape|\{%-?\s*set\b", text), "templates only loop and print"
