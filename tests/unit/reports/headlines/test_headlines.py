"""Hold the answer of a run in sentences: by metric, by library, contradictions, surprises."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from recsys_metric_audit.reports.headlines.headlines import LONGEST, answer, metric_headlines, surprises
from recsys_metric_audit.reports.headlines.library_differences import (
    contradictions,
    library_differences,
    release_changes,
    witness_in_words,
)
from recsys_metric_audit.reports.model.result import Effect, Reference, Witness
from tests.support.result_samples import differing, finding, library, lost, restated, result, witness

# The answer of a run.


def test_the_answer_when_all_agree_one_ran_or_none_did() -> None:
    two = (library(), library("beta", "2"))
    both = (finding(), finding(name="beta", version="2"))
    assert answer(result(libraries=two, findings=both)) == (
        "Yes, on what was asked here. Of 1 metric that 2 library versions computed from the same "
        "predictions, they agree on the formula of 1 (NDCG)."
    )
    unsure = (finding(), finding(name="beta", version="2", verdict="unstable"))
    assert answer(result(libraries=two, findings=unsure)).startswith("No difference was found. Of 1 metric")
    assert answer(result(findings=(finding(), finding("recall")))) == (
        "One library version was measured: Alpha 1.0 computes the canonical formula of 2 of 2 metrics."
    )
    broken = lost("ndcg", "alpha", "failed", "boom")
    assert answer(result(findings=(broken,))) == "Nothing could be measured in this run."
    assert answer(result(findings=(), k=())) == "Nothing could be measured in this run."
    apart = (finding(), finding("recall", "beta", "2"))
    assert answer(result(libraries=two, findings=apart)) == (
        "Nothing can be compared: the 2 library versions that were measured have no metric in common. "
        "They compute the canonical formula of 2 of 2 metrics."
    )


def test_two_that_fit_nothing_are_not_said_to_be_two_formulas() -> None:
    three = [library(), library("beta", "2"), library("gamma", "3")]
    lost_ones = [finding(name=e.library, version=e.version, verdict="unexplained") for e in three[1:]]
    found = answer(result(libraries=three, findings=(finding(), *lost_ones)))
    assert "NDCG alone has 2 formulas" in found


def test_functions_that_differ_in_unusual_users_only_agree_on_the_formula() -> None:
    two = [library(), library("beta", "2")]
    other = differing("ndcg", "beta", "users", "both", 0.0941, version="2", verdict="agrees")
    assert "they agree on the formula of 1 (NDCG)" in answer(result(libraries=two, findings=(finding(), other)))


def test_formulas_with_equal_values_have_no_range() -> None:
    two = [library(), library("beta", "2")]
    other = differing("precision", "beta", "denominator", "shown", 0.0576, version="2")
    found = answer(result(libraries=two, findings=(finding("precision"), other)))
    assert found.endswith("; Precision alone has 2 formulas, with one value here.")


# The list of contradictions between documentation and code.

WHERE = "docstring of beta.map"


def by_r(function: str = "beta.map", version: str = "2.3.1", **changes: Any) -> Any:
    """Return a finding that divides by r though its documentation states min(k, r)."""
    claimed = "average_precision@k|denominator:min|indicator:kept"
    return differing(
        "average_precision", "beta", "denominator", "r", 0.03, function=function, version=version,
        **{"claimed": claimed, "claim_says": "divided by min(k, r)", "matches_claim": False} | changes,
    )  # fmt: skip


def beta(*functions: str, version: str = "2.3.1") -> Any:
    return library("beta", version, claims=dict.fromkeys(functions or ("beta.map",), WHERE))


def test_a_contradiction_has_sentence_place_meaning_and_witness() -> None:
    (made,) = contradictions(result(libraries=(beta(),), findings=(by_r(claim_witness=witness()),)))
    assert (made.library, made.versions, made.functions, made.metric) == ("Beta", ("2.3.1",), ("beta.map",), "MAP")
    assert (made.says, made.where) == ("divided by min(k, r)", WHERE)
    assert made.documented == "denominator: min(k, r), the most hits there can be"
    assert made.computed == "denominator: r: the area under the precision-recall curve"
    assert made.witness == (
        "a list of 2, relevant at rank 1, r = 3, k = 2: the documentation gives 0.500, the library 0.333 "
        "(case r3-k2-hit-at-1)"
    )


def test_functions_and_versions_that_contradict_a_statement_alike_are_one_entry() -> None:
    findings = (by_r(), by_r("beta.eval[map]"), by_r(version="2.2"))
    libraries = (beta("beta.map", "beta.eval[map]"), beta(version="2.2"))
    (made,) = contradictions(result(libraries=libraries, findings=findings))
    assert made.functions == ("beta.map", "beta.eval[map]") and made.versions == ("2.3.1", "2.2")


def test_what_is_as_claimed_or_not_stated_is_no_contradiction() -> None:
    findings = (by_r(matches_claim=None), by_r("beta.other", matches_claim=True), finding("ndcg", "beta", "2.3.1"))
    assert contradictions(result(libraries=(beta(),), findings=findings)) == ()


def test_another_metric_than_documented_is_named() -> None:
    claim = {"claimed": "average_recall@k", "claim_says": "mean average recall"}
    (made,) = contradictions(result(libraries=(beta(),), findings=(by_r(formula="average_precision@20", **claim),)))
    assert made.documented == "" and made.signature.startswith("average_precision@k|denominator:r")


# What differs of each library, and the inputs that show it.


@pytest.mark.parametrize(
    ("case", "k", "said"),
    [
        ("[2 0 0 0] k3 miss 2", 3, "a list with gains [2 0 0 0], and relevant items not in it [2], k = 3"),
        ("tie of two, relevant second", 1, "a list with gains [0 2 0] and scores [0.9 0.9 0.4], k = 1"),
        ("every small list, k 2, list 1 alone", 2, "a list with gains [2], k = 2"),
        ("every small list, k 2, list 999999 alone", 2, "the case “every small list, k 2, list 999999 alone”, k = 2"),
        ("separating case 2: ties, short list", 1, "an input with ties, short list, k = 1"),
        ("a case of another release", None, "the case “a case of another release”"),
    ],
)
def test_a_recorded_witness_is_told_by_the_probe_of_its_name(case: str, k: int | None, said: str) -> None:
    witness = Witness(case=case, k=k, users=(), library_value=0.5, canonical_value=None, text="")
    told = witness_in_words(witness, "the canonical formula gives")
    assert told == f"{said}: the canonical formula gives no value, the library 0.500"


def test_functions_of_one_formula_are_one_difference() -> None:
    two = [
        differing("ndcg", "alpha", "gain", "exp2", 0.2),
        differing("ndcg", "alpha", "gain", "exp2", 0.2, function="alpha.fast.ndcg"),
        differing("ndcg", "alpha", "gain", "linear", 0.3, function="alpha.linear"),
        finding("recall"),
    ]
    [own] = library_differences(result(libraries=(library(),), findings=two))
    assert (own.measured, own.canonical) == (4, 1)
    assert [(each.formula, len(each.findings), each.value) for each in own.differences] == [
        ("ndcg@k|gain:exp2", 2, "0.200"), ("ndcg@k|gain:linear", 1, "0.300"),
    ]  # fmt: skip


def test_a_claim_that_is_contradicted_on_who_counts_only_is_none_of_the_formula() -> None:
    claim = {"claimed": "recall@k|users:all", "matches_claim": False, "differs_on": ("users",)}
    made = finding(
        "recall", signature="recall@20|users:both", definition={"denominator": "r", "users": "both"}, **claim
    )
    [own] = library_differences(result(libraries=(library(),), findings=(made,)))
    assert own.differences == ()


def test_a_release_that_computes_the_same_is_no_change() -> None:
    entries = (library("alpha", "2.0"), library("alpha", "1.0"))
    assert release_changes(result(libraries=entries, findings=(finding(version="2.0"), finding()))) == ()


def test_a_difference_tells_what_its_functions_return_from_the_least_to_the_greatest() -> None:
    pair = [differing("ndcg", "alpha", "ideal", "all", value, function=f"alpha.{value}") for value in (0.2, 0.1234)]
    (own, *_) = library_differences(result(libraries=(library(),), findings=tuple(pair)))
    assert [each.value for each in own.differences] == ["0.123 to 0.200"]
    rounds = differing("ndcg", "alpha", "ideal", "all", 0.1695)
    (own, *_) = library_differences(result(libraries=(library(),), findings=(rounds,)))
    assert [each.value for each in own.differences] == ["0.1695"], "the number as the library rounded it"


# The headline of each metric.

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


def test_numbers_that_read_alike_are_not_said_to_be_one_number() -> None:
    """Precision is 0.0576 in the samples; 0.0579 reads 0.058 as well, and is another number."""
    others = [differing("precision", name, "denominator", "shown", 0.0579) for name in ("beta", "gamma")]
    assert "; 2 others, 0.058: Beta and Gamma 0.058" in one(finding("precision"), *others)
    two = [library(), library("beta")]
    found = answer(result(libraries=two, findings=(finding("precision"), others[0])))
    assert found.endswith("; Precision alone has 2 formulas, with values from 0.0576 to 0.0579.")


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


def test_a_call_that_takes_one_relevant_item_of_each_user_is_named_as_the_cause() -> None:
    passed = {"does_not_apply": {"truth": "the adapter's doing"}, "effect": effect(who_counts=0.0, handling=0.0)}
    first = differing("ndcg", "beta", "ties", "item_desc", 0.11, verdict="agrees", assumed={"truth": "first"}, **passed)
    assert "(0.093; Beta 0.110, by one relevant item a user)" in one(finding(), first)
    labels = differing("ndcg", "beta", "ties", "item_desc", 0.11, verdict="agrees", **passed)
    assert "(0.093; Beta 0.110)" in one(finding(), labels), "labels of listed items hold every relevant one"


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
    alone = two.model_copy(update={"equivalent": ()})  # of one formula, axes are not known
    assert one(finding("precision"), alone).endswith("; Beta 0.058: axes of its formula are not known.")
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


# Surprises of a run.


def test_surprises_come_in_the_order_of_their_surprise() -> None:
    assert [each.words for each in surprises(result())] == [
        "Another formula than documented (1): MAP of Beta 2.3.1, divides by r",
        "Gives different answers to the same question (1): Recall of Gamma 0.4",
        "Did not run (1): Omega 9 (unavailable)",
    ]


def test_a_change_of_formula_between_two_versions_is_a_surprise() -> None:
    new = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="2.0")
    made = surprises(result(libraries=(library(version="2.0"), library()), findings=(new, finding())))
    assert made[0].words == "Another formula than in the version before (1): NDCG of Alpha 2.0 (before: 1.0)"


def test_another_input_handling_is_no_change_of_formula() -> None:
    new = differing("ndcg", "alpha", "ties", "item_desc", 0.1, version="2.0", verdict="agrees")
    assert surprises(result(libraries=(library(version="2.0"), library()), findings=(new, finding()))) == ()


def test_documentation_is_contradicted_on_the_formula_and_not_on_who_counts() -> None:
    users = differing("ndcg", "alpha", "users", "both", 0.1, verdict="agrees", claimed="ndcg@k|users:truth")
    users = users.model_copy(update={"matches_claim": False})
    assert surprises(result(libraries=(library(),), findings=(users,))) == ()
    gain = differing("ndcg", "alpha", "gain", "exp2", 0.1, claimed="ndcg@k|gain:linear", matches_claim=False)
    assert [each.words for each in surprises(result(libraries=(library(),), findings=(gain,)))] == [
        "Another formula than documented (1): NDCG of Alpha 1.0, gain 2^g - 1"
    ]
