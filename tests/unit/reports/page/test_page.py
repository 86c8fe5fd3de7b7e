"""``index.html`` as text: complete, self-contained, and nothing foreign in it becomes markup."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bench.sixty import sixty
from reports.model.result import Behaviour, Bin, Result
from reports.page.page import page
from reports.renderers.html import render_report as html
from reports.wording.anchors import finding_anchor, fragment
from reports.wording.commands import rerun_command
from tests.support.result_samples import CANONICAL, HOSTILE, differing, finding, hostile, library, result, witness

TEMPLATES = Path(__file__).parents[4] / "reports" / "templates"
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Reader(HTMLParser):
    """Collects elements, ids, links and text, and checks that every element is closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("dd", "td", "th", "li", "p", "br"):
            self.words.append(" ")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def values(self, attribute: str) -> list[str]:
        return [given[attribute] or "" for _, given in self.elements if attribute in given]


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
        "Class: wrong-denominator",
        "Not what its documentation says: average_precision@k",
        "Fits as well hit_rate@20|counts:precision",
        "Nearest: average_precision@k|denominator:k, off by up to 0.12",
        "Would tell them apart: a short list",
        "Largest deviation 2.2e-16",
        "Tolerance 1e-09",
        "Asked up to ranks up to 25",
        "Three relevant items, two places: divided by three instead of two.",
        "User u1: 3 relevant, library 0.3333333333333333, canonical 0.5",
        "not listed✓i12 gain 2",
        "sum over hits = 1/1 = 1 divided by r = 3: 1/3",
        "From the canonical 0.039 to 0.032: denominator moves it most, by −0.007.",
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
        "This result does not say on which axes its data is blind.",
        "One recommender was measured, so nothing is ranked here.",
        "No experiment beyond the formula was made in this result.",
        "The difference was not taken apart into axes in this result.",
        "No per-user values to draw",
        "No script of its own in this result.",
        "Its documentation was not found to state a definition.",
    ):
        assert words in shown, words


def test_findings_stand_under_what_they_compute() -> None:
    found = [
        (m.mark, m.signature, m.verdict, [e.library for e in m.entries])
        for m in page(result()).meanings
        if m.metric == "MAP"
    ]
    assert found == [
        ("", "average_precision@k", "agrees", ["Alpha"]),
        ("a", "average_precision@k|denominator:r", "variant", ["Beta"]),
        ("b", "average_precision@k|denominator:k", "variant", ["Delta"]),
        ("?", "", "unexplained", ["Gamma"]),
    ]
    metric = next(m for m in page(result()).metrics if m.title == "MAP")
    assert metric.summary == "3 meanings identified in 4 findings"


def test_what_fits_nothing_shares_no_page() -> None:
    two = [finding(name=n, verdict="unexplained", signature=None, definition={}) for n in ("alpha", "delta")]
    made = page(result(findings=(two[0], two[1].model_copy(update={"version": "3.0"}))))
    assert [[e.library for e in m.entries] for m in made.meanings] == [["Alpha"], ["Delta"]]


def test_every_finding_has_its_own_place() -> None:
    entries = [place.anchor for m in page(result()).meanings for e in m.entries for place in e.places]
    assert sorted(entries) == sorted(finding_anchor(found) for found in result().findings)
    assert len(set(entries)) == len(entries)


def test_the_matrix_has_a_cell_for_every_library_and_metric() -> None:
    matrix = page(result()).matrices[0]
    assert [name for name, _ in matrix.metrics] == ["HitRate", "MAP", "MRR", "NDCG", "Precision", "Recall", "AUC"]
    beta = next(line for line in matrix.lines if line.title == "Beta")
    assert [(s.text, s.mark, s.label) for s in beta.squares[:4]] == [
        ("1.151", "a", "counts:hits"),
        ("0.032", "a", "denominator:r"),
        ("0.186", "", "canonical"),
        ("0.093", "", "canonical"),
    ]
    assert beta.squares[3].also == 1, "ndcg has a second function, with another gain"
    assert [s.equal for s in beta.squares[:4]] == [False, False, True, True]
    counts = {share.verdict: share.count for share in matrix.shares}
    assert counts == {
        "agrees": 14, "variant": 6, "undocumented": 1, "ambiguous": 1, "unexplained": 1, "unstable": 1,
        "not_offered": 1, "failed": 1, "crashed": 1, "timed_out": 1,
    }  # fmt: skip
    assert sum(share.width for share in matrix.shares) == pytest.approx(1000, abs=1)


def test_library_versions_with_the_same_meanings_are_known_as_the_same() -> None:
    versions = [library("alpha", "1.0"), library("beta", "2"), library("gamma", "3"), library("delta", "4")]
    found = (
        finding(), finding(name="beta", version="2"), differing("ndcg", "gamma", "gain", "exp2", 0.1, version="3"),
        finding(name="delta", version="4", verdict="unexplained", signature=None, definition={}),
    )  # fmt: skip
    made = page(result(libraries=tuple(versions), findings=found))
    same = {line.title: line.same for line in made.matrices[0].lines}
    assert same["Alpha"] == same["Beta"]
    assert len({same["Alpha"], same["Gamma"], same["Delta"]}) == 3
    ((name, _, groups),) = made.agreements
    assert name == "NDCG"
    assert [(g.label, g.who, g.versions) for g in groups] == [
        ("canonical", "Alpha 1.0; Beta 2", 2),
        ("gain:exp2", "Gamma 3", 1),
    ]


def test_a_change_between_versions_is_told() -> None:
    new = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="2.0")
    made = page(result(libraries=(library(version="2.0"), library()), findings=(new, finding())))
    (shown,) = made.libraries
    (change,) = shown.changes
    assert (change.before, change.old, change.after, change.new) == ("1.0", "ndcg@k", "2.0", "ndcg@k|gain:exp2")
    assert [spot.changed for spot in shown.functions[0].spots if spot] == [True, False]


def test_versions_that_compute_the_same_share_a_cell_and_a_change_ends_it() -> None:
    old = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="1.0")
    entries = tuple(library(version=version) for version in ("3.0", "2.0", "1.0"))
    made = page(result(libraries=entries, findings=(finding(version="3.0"), finding(version="2.0"), old)))
    (row,) = made.libraries[0].functions
    assert [(spot.wide, spot.changed) for spot in row.spots if spot] == [(2, True), (1, False)]


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
    assert sum(len(found.decomposition) > 2 for found in differing) > 200
    text = html(made)
    assert len(text.encode()) < 3_000_000
    reader = Reader(text)
    assert reader.open == []
    ids = reader.values("id")
    assert len(ids) == len(set(ids))
    assert {finding_anchor(found) for found in made.findings} <= set(ids), "every finding can be linked to"
    assert {link[1:] for link in reader.values("href") if link.startswith("#")} <= set(ids)


def test_versions_of_equal_value_stand_in_one_line() -> None:
    made = two_versions()
    same = made.findings[1].model_copy(update={"value": made.findings[0].value})
    (shown,) = page(made.model_copy(update={"findings": (made.findings[0], same)})).meanings
    assert [[place.version for place in row] for row in shown.entries[0].rows] == [["2.0", "1.0"]]


def two_versions(**changes: object) -> Result:
    """Return a result in which two versions of one library differ from the canonical definition alike."""
    bins = (Bin(canonical=0.5, library=0.5, users=40), Bin(canonical=0.5, library=0.25, users=7))
    given = {"witness": witness(), "scatter": bins, "script": "print(1)\n"} | changes
    found = [
        differing("ndcg", "alpha", "gain", "exp2", value, version=version, **given)
        for version, value in (("2.0", 0.31), ("1.0", 0.32))
    ]
    return result(libraries=(library(version="2.0"), library()), findings=tuple(found))


def test_versions_of_which_the_same_is_told_share_an_entry_with_a_table_of_their_values() -> None:
    made = two_versions()
    (shown,) = page(made).meanings
    (entry,) = shown.entries
    assert [(place.version, place.exact) for place in entry.places] == [("2.0", "0.31"), ("1.0", "0.32")]
    assert [place.anchor for place in entry.places] == [finding_anchor(found) for found in made.findings]
    assert entry.versions == ("2.0", "1.0")
    text = html(made)
    assert text.count("print(1)") == 1
    assert {finding_anchor(found) for found in made.findings} <= set(Reader(text).values("id"))


def test_versions_that_act_differently_on_an_edge_have_entries_of_their_own() -> None:
    made = two_versions()
    odd = {"no_list": Behaviour(name="skipped", text="2 of 3 users", slug="missing-recommendations")}
    other = made.findings[1].model_copy(update={"behaviours": odd})
    (shown,) = page(made.model_copy(update={"findings": (made.findings[0], other)})).meanings
    assert [entry.versions for entry in shown.entries] == [("2.0",), ("1.0",)]


def test_versions_that_fit_nothing_share_a_page_and_functions_that_fit_nothing_do_not() -> None:
    lost = {"verdict": "unexplained", "signature": None, "definition": {}, "differs_on": ()}
    made = two_versions(**lost)
    (shown,) = page(made).meanings
    assert [place.version for entry in shown.entries for place in entry.places] == ["2.0", "1.0"]
    other = made.findings[1].model_copy(update={"function": "alpha.other"})
    assert len(page(made.model_copy(update={"findings": (made.findings[0], other)})).meanings) == 2


def test_a_scatter_is_drawn_once_on_the_page_of_its_metric_and_used_by_every_meaning_that_looks_alike() -> None:
    made = two_versions()
    other = differing("ndcg", "alpha", "gain", "linear", 0.3, scatter=made.findings[0].scatter)
    made = made.model_copy(update={"findings": (made.findings[0], other)})
    (metric,) = page(made).metrics
    (drawn,) = metric.scatters
    assert [mark for mark, _ in drawn.marks] == ["a", "b"]
    reader = Reader(html(made))
    assert [given["href"] for tag, given in reader.elements if tag == "use"] == [f"#{drawn.shapes}"] * 2
    assert reader.values("id").count(drawn.shapes) == 1


def test_a_second_function_with_the_same_meaning_says_whose_script_shows_it_and_how_to_have_its_own() -> None:
    made = two_versions()
    other = made.findings[1].model_copy(update={"function": "alpha.other[log=2]", "script": "print(2)\n"})
    (shown,) = page(made.model_copy(update={"findings": (made.findings[0], other)})).meanings
    first, second = shown.entries
    assert (first.script, second.script) == ("print(1)\n", "")
    assert second.like is not None
    assert second.like.anchor == first.first.anchor
    assert second.own_script == "audit reproduce 'alpha==1.0:alpha.other[log=2]' --k 20"


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
