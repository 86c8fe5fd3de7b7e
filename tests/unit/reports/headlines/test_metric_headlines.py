"""The headline of each metric."""

from __future__ import annotations

import math

from reports.headlines.metric_headlines import metric_headlines
from reports.model.result import Reference
from tests.support.result_samples import differing, finding, library, lost, result

LIBRARIES = tuple(library(name, version) for name, version in [("alpha", "1.0"), ("beta", "1.0"), ("gamma", "1.0")])


def one(*findings: object) -> str:
    lines = metric_headlines(result(libraries=LIBRARIES, findings=findings))
    assert len(lines) == 1
    return lines[0]


def test_a_line_says_who_computes_another_formula_which_and_whether_it_matters_here() -> None:
    assert one(finding(), finding(name="beta"), differing("ndcg", "gamma", "ideal", "retrieved", 0.357)) == (
        "NDCG: 2 of 3 libraries compute the canonical formula (0.093); the other: Gamma 0.357 (divides by the DCG of "
        "the hits). Values 0.093 to 0.357."
    )


def test_libraries_with_one_formula_stand_together() -> None:
    found = [differing("average_precision", name, "denominator", "r", 0.0321) for name in ("alpha", "gamma")]
    assert one(found[0], finding("average_precision", "beta"), found[1]) == (
        "MAP: 1 of 3 libraries computes the canonical formula (0.039); the other 2: Alpha and Gamma 0.032 (divides by "
        "r). Values 0.032 to 0.039."
    )
    apart = found[1].model_copy(update={"value": math.nan})
    assert "the other 2: Alpha 0.032 and Gamma nan (divides by r)." in one(
        found[0], finding("average_precision", "beta"), apart
    )


def test_another_formula_with_the_canonical_number_is_said_to_change_nothing_here() -> None:
    shown = differing("precision", "beta", "denominator", "shown", 0.0576)
    assert one(finding("precision"), shown).endswith(
        "the other: Beta 0.058 (divides by min(k, list length)). On this data every mean is the canonical one."
    )
    without_mean = shown.model_copy(update={"name": "gamma", "library": "gamma", "value": None})
    assert "Beta 0.058 and Gamma per user (divides" in one(finding("precision"), shown, without_mean)


def test_nothing_is_claimed_where_a_mean_is_nan_or_not_reproducible() -> None:
    shown = finding("precision", "beta")
    for odd in (finding("precision", "gamma", value=math.nan), finding("precision", "gamma", verdict="unstable")):
        assert "every mean" not in one(finding("precision"), shown, odd)


def test_another_number_by_the_canonical_formula_is_explained_by_its_level() -> None:
    users = differing("ndcg", "beta", "users", "both", 0.11, verdict="agrees")
    ties = differing("ndcg", "gamma", "ties", "item_desc", 0.12, verdict="agrees")
    assert one(finding(), users) == (
        "NDCG: 2 of 2 libraries compute the canonical formula (0.093; Beta 0.110, by who counts). "
        "Values 0.093 to 0.110."
    )
    assert "(0.093; Beta 0.110 and Gamma 0.120, by who counts and input handling)" in one(finding(), users, ties)


def test_what_was_not_identified_or_failed_stands_last() -> None:
    unsure = finding(verdict="unexplained")
    assert one(lost("ndcg", "beta", "timed_out", "slow"), unsure, differing("ndcg", "gamma", "gain", "exp2", 0.1)) == (
        "NDCG: 0 of 3 libraries compute the canonical formula (0.093); the other 3: Gamma 0.100 (gain 2^g - 1); Beta "
        "(timed out); Alpha 0.093 (no formula fits). Values 0.093 to 0.100."
    )


def test_an_ambiguous_function_names_the_few_formulas_that_fit() -> None:
    two = finding("precision", "beta", verdict="ambiguous", equivalent=("precision@k|denominator:shown",))
    assert "Beta 0.058 (the canonical one or divides by min(k, list length))" in one(finding("precision"), two)
    many = two.model_copy(update={"equivalent": tuple(f"precision@k|cutoff:{n}" for n in range(2, 5))})
    assert "Beta 0.058 (several formulas fit)" in one(finding("precision"), many)


def test_the_newest_version_of_a_library_is_counted_and_absent_functions_are_not() -> None:
    entries = (library(version="2.0"), library(), library("beta"))
    found = (
        finding(version="2.0"),
        differing("ndcg", "alpha", "gain", "exp2", 0.1),
        lost("ndcg", "beta", "not_offered", "none"),
    )
    lines = metric_headlines(result(libraries=entries, findings=found))
    assert lines == ("NDCG: 1 of 1 library computes the canonical formula (0.093).",)


def test_metrics_stand_in_the_papers_order_and_others_only_without_them() -> None:
    found = (finding("recall"), finding("hit_rate"))
    assert [line.split(":")[0] for line in metric_headlines(result(findings=found))] == ["HitRate", "Recall"]
    rows = (Reference(metric="rbp", k=20, signature="rbp@20", value=0.5),)
    other = finding(signature="rbp@20", value=0.5).model_copy(update={"metric": "rbp"})
    assert metric_headlines(result(findings=(other,), reference=rows)) == (
        "RBP: 1 of 1 library computes the canonical formula (0.500).",
    )
    assert metric_headlines(result(k=(), findings=())) == ()


def test_a_run_against_another_canonical_formula_names_the_usual_one() -> None:
    # As by ``--canonical 'map=average_precision|denominator:r'``: who computes the usual formula differs.
    own = differing("average_precision", "alpha", "denominator", "r", 0.0321, verdict="agrees")
    rows = (Reference(metric="average_precision", k=20, signature="average_precision@20|denominator:r", value=0.0321),)
    usual = finding("average_precision", "beta", verdict="variant")
    assert metric_headlines(result(libraries=LIBRARIES, findings=(own, usual), reference=rows)) == (
        "MAP: 1 of 2 libraries computes the canonical formula (0.032); the other: Beta 0.039 (computes the formula "
        "that is canonical unless a run overrides it). Values 0.032 to 0.039.",
    )
