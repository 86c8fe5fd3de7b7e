"""The headline of each metric."""

from __future__ import annotations

import math
import re

from recsys_metric_audit.reports.headlines.metric_headlines import LONGEST, metric_headlines
from recsys_metric_audit.reports.model.result import Effect, Reference
from tests.support.result_samples import differing, finding, library, lost, restated, result

LIBRARIES = tuple(library(name, version) for name, version in [("alpha", "1.0"), ("beta", "1.0"), ("gamma", "1.0")])


def one(*findings: object) -> str:
    lines = metric_headlines(result(libraries=LIBRARIES, findings=findings))
    assert len(lines) == 1
    return lines[0]


def effect(who_counts: float, handling: float) -> Effect:
    total = who_counts + handling
    return Effect(formula=0.0, who_counts=who_counts, input=handling, total=total, same_value=False)


def test_a_line_says_who_computes_another_formula_which_and_whether_it_matters_here() -> None:
    assert one(finding(), finding(name="beta"), differing("ndcg", "gamma", "ideal", "retrieved", 0.357)) == (
        "NDCG: 2 of 3 compute the canonical formula (0.093); 1 other: Gamma 0.357 (divides by the DCG of the hits)."
    )


def test_libraries_with_one_formula_stand_together() -> None:
    found = [differing("average_precision", name, "denominator", "r", 0.0321) for name in ("alpha", "gamma")]
    assert one(found[0], finding("average_precision", "beta"), found[1]) == (
        "MAP: 1 of 3 computes the canonical formula (0.039); 2 others, 0.032: Alpha and Gamma 0.032 (divides by r)."
    )
    apart = found[1].model_copy(update={"value": math.nan})
    assert one(found[0], finding("average_precision", "beta"), apart).endswith(
        "2 others, 0.032: Alpha 0.032 and Gamma nan (divides by r)."
    )


def test_the_range_is_that_of_the_other_formulas_and_the_furthest_stand_first() -> None:
    # 0.30 and 0.02 lie 0.2066 and 0.0734 from the canonical 0.0934.
    far = differing("ndcg", "beta", "ideal", "none", 0.30)
    near = differing("ndcg", "gamma", "discount", "log2_clipped", 0.02)
    assert one(finding(), near, far) == (
        "NDCG: 1 of 3 computes the canonical formula (0.093); 2 others, 0.020 to 0.300: Beta 0.300 (divides by 1 "
        "(plain DCG)), Gamma 0.020 (discount 1 / log2(max(j, 2)))."
    )


def test_a_headline_has_two_lines_and_three_other_formulas_at_most() -> None:
    names = [f"library-of-a-long-name-{n}" for n in range(6)]
    found = [differing("ndcg", name, "cutoff", str(n + 2), n / 10) for n, name in enumerate(names)]
    (line,) = metric_headlines(result(libraries=tuple(map(library, names)), findings=found))
    assert len(line) <= LONGEST
    assert "6 others, 0.000 to 0.500" in line
    # The furthest from 0.0934: 0.5, 0.4; a third does not fit.
    assert [int(n) for n in re.findall(r"Name-(\d)", line)] == [5, 4]
    short = [differing("ndcg", f"n{n}", "cutoff", str(n + 2), n / 10) for n in range(6)]
    (line,) = metric_headlines(result(libraries=tuple(library(f"n{n}") for n in range(6)), findings=short))
    assert re.findall(r"N(\d)", line.split("formula")[1]) == ["5", "4", "3"]


def test_another_formula_with_the_canonical_number_is_said_to_change_nothing_here() -> None:
    shown = differing("precision", "beta", "denominator", "shown", 0.0576)
    assert one(finding("precision"), shown).endswith("1 other: Beta 0.058 (divides by min(k, list length)).")
    without_mean = shown.model_copy(update={"name": "gamma", "library": "gamma", "value": None})
    assert "2 others, 0.058: Beta 0.058 and Gamma per user (divides" in one(finding("precision"), shown, without_mean)
    both = shown.model_copy(update={"library": "gamma"})
    assert "; 2 others, the same number here: Beta and Gamma 0.058" in one(finding("precision"), shown, both)


def test_another_number_by_the_canonical_formula_is_explained_by_its_level() -> None:
    users = differing(
        "ndcg", "beta", "users", "both", 0.11, verdict="agrees", effect=effect(who_counts=0.0166, handling=0.0)
    )
    ties = differing(
        "ndcg", "gamma", "ties", "item_desc", 0.12, verdict="agrees", effect=effect(who_counts=0.0, handling=0.0266)
    )
    assert one(finding(), users) == ("NDCG: 2 of 2 compute the canonical formula (0.093; Beta 0.110, by who counts).")
    assert "(0.093; Beta 0.110 and Gamma 0.120, by who counts and input handling)" in one(finding(), users, ties)
    unmoved = restated(ties, levels={"who_counts": ("users",), "input": ("ties",)})
    assert "(0.093; Gamma 0.120, by input handling)" in one(finding(), unmoved), "who counts moves nothing here"
    whole = restated(ties, k=None, definition={**ties.definition, "cutoff": "none"}, differs_on=(), effect=None)
    assert "(0.093; Gamma 0.120, by whole lists)" in one(finding(), whole)


def test_what_was_not_identified_or_failed_stands_last() -> None:
    unsure = finding(verdict="unexplained")
    assert one(lost("ndcg", "beta", "timed_out", "slow"), unsure, differing("ndcg", "gamma", "ideal", "all", 0.1)) == (
        "NDCG: 0 of 3 compute the canonical formula (0.093); 1 other: Gamma 0.100 (divides by the DCG of all "
        "relevant items); Alpha 0.093: no known formula fits; Beta timed out."
    )


def test_an_ambiguous_function_says_of_how_many_formulas_it_is_one() -> None:
    two = finding("precision", "beta", verdict="ambiguous", equivalent=("precision@k|denominator:shown",))
    assert one(finding("precision"), two).endswith("; Beta 0.058: not known which of 2 formulas.")
    many = two.model_copy(update={"equivalent": tuple(f"precision@k|cutoff:{n}" for n in range(2, 5))})
    assert one(finding("precision"), many).endswith("; Beta 0.058: not known which of 4 formulas.")
    odd = finding("precision", "gamma", verdict="unstable")
    assert one(finding("precision"), odd).endswith("; Gamma 0.058: not reproducible.")
    assert one(finding("precision"), two, odd).endswith("; 2 not known: Beta and Gamma 0.058.")


def test_the_newest_version_of_a_library_is_counted_and_absent_functions_are_not() -> None:
    entries = (library(version="2.0"), library(), library("beta"))
    found = (
        finding(version="2.0"),
        differing("ndcg", "alpha", "gain", "exp2", 0.1),
        lost("ndcg", "beta", "not_offered", "none"),
    )
    lines = metric_headlines(result(libraries=entries, findings=found))
    assert lines == ("NDCG: 1 of 1 computes the canonical formula (0.093).",)


def test_metrics_stand_in_the_papers_order_and_others_only_without_them() -> None:
    found = (finding("recall"), finding("hit_rate"))
    assert [line.split(":")[0] for line in metric_headlines(result(findings=found))] == ["HitRate", "Recall"]
    rows = (Reference(metric="rbp", k=20, signature="rbp@20", value=0.5),)
    other = finding(signature="rbp@20", value=0.5).model_copy(update={"metric": "rbp"})
    assert metric_headlines(result(findings=(other,), reference=rows)) == (
        "RBP: 1 of 1 computes the canonical formula (0.500).",
    )
    assert metric_headlines(result(k=(), findings=())) == ()


def test_a_run_against_another_canonical_formula_names_the_usual_one() -> None:
    # As by ``--canonical 'map=average_precision|denominator:r'``: who computes the usual formula differs.
    own = differing("average_precision", "alpha", "denominator", "r", 0.0321, verdict="agrees")
    rows = (Reference(metric="average_precision", k=20, signature="average_precision@20|denominator:r", value=0.0321),)
    usual = finding("average_precision", "beta", verdict="variant")
    assert metric_headlines(result(libraries=LIBRARIES, findings=(own, usual), reference=rows)) == (
        "MAP: 1 of 2 computes the canonical formula (0.032); 1 other: Beta 0.039.",
    )


def test_three_numbers_are_told_canonical_equal_on_yes_no_data_and_other_formulas() -> None:
    entries = tuple(library(name) for name in ("alpha", "beta", "gamma", "delta"))
    found = (
        finding(),
        differing("ndcg", "beta", "gain", "exp2", 0.091),
        differing("ndcg", "gamma", "gain", "linear", 0.095),
        differing("ndcg", "delta", "ideal", "retrieved", 0.357),
    )
    assert metric_headlines(result(libraries=entries, findings=found)) == (
        "NDCG: 1 of 4 computes the canonical formula (0.093); 2 equal it on yes/no data (0.091 to 0.095 here); "
        "1 other: Delta 0.357 (divides by the DCG of the hits).",
    )


def test_the_value_of_whole_lists_is_told_as_it_came() -> None:
    # Cornac's MRR: 0.2856 over whole lists, the canonical value there; 0.2786 is the canonical value at k.
    same = Effect(formula=0.0, who_counts=0.0, input=0.0, total=0.0, same_value=True)
    read = {"k": None, "signature": "reciprocal_rank|cutoff:none", "definition": {"cutoff": "none"}}
    whole = finding("reciprocal_rank", "beta", value=0.2856, effect=same, **read)
    assert one(finding("reciprocal_rank"), whole).endswith("(0.186; Beta 0.286, by whole lists).")
