"""Hold words: anchors, axes, commands, labels, numbers, letters."""

from __future__ import annotations

import math
from itertools import islice
from typing import get_args

import pytest

from recsys_metric_audit.reports.model.result import Effect, Reference, Result, Status, Verdict
from recsys_metric_audit.reports.wording.anchors import (
    finding_anchor,
    fragment,
    library_anchor,
    reproduce_command,
    rerun_command,
)
from recsys_metric_audit.reports.wording.axis_words import (
    AxisDifference,
    axis_differences,
    computed_metric,
    value_meaning,
    variant_label,
)
from recsys_metric_audit.reports.wording.formatting import (
    brief,
    exact,
    figure,
    one_line,
    passage,
    printable,
    rounded,
    shortened,
    web_link,
)
from recsys_metric_audit.reports.wording.labels import STATUS_LABELS, VERDICT_MEANINGS, count, joined, metric_title
from recsys_metric_audit.reports.wording.meanings import (
    distinct_on_yes_no_data,
    equals_canonical_on_yes_no_data,
    gives_canonical_value,
)
from recsys_metric_audit.reports.wording.variant_letters import assign_letters, letter_sequence
from tests.support.compared_results import several_cutoffs
from tests.support.result_samples import differing, finding, library, restated, result

# Anchors: readable where they can be, and always distinct.


def test_plain_names_stay_readable() -> None:
    assert library_anchor(library()) == "library/alpha/1.0"
    assert finding_anchor(finding()) == "finding/alpha/1.0/alpha.ndcg/20"
    assert finding_anchor(finding("auc")) == "finding/alpha/1.0/alpha.auc"


def test_names_that_had_to_be_changed_stay_distinct() -> None:
    one, two = fragment("a b"), fragment("a/b")
    assert one.startswith("a-b/") and two.startswith("a-b/") and one != two
    assert fragment("a b", "c") != fragment("a-b", "c") and fragment("a", "b c") != fragment("a b", "c")
    assert len(fragment("x" * 500)) == 80 + 1 + 8, "80 characters, a slash, 8 of the digest"


# Axes in words: known ones from the reference, unknown ones by their bare names.


def test_the_signature_says_which_metric_is_computed() -> None:
    assert computed_metric(finding("ndcg", signature="recall@20")) == "recall"
    assert computed_metric(finding("ndcg", signature="unheard_of@20")) == "ndcg"


def test_differences_of_the_formula_come_first() -> None:
    found = finding(
        verdict="variant",
        differs_on=("users", "mood", "gain"),
        definition={"users": "both", "mood": "good", "gain": "exp2"},
    )
    made = axis_differences(found, {"mood": "bad"})
    assert [(each.axis, each.part) for each in made] == [
        ("mood", "formula"),
        ("gain", "formula"),
        ("users", "averaging"),
    ]
    assert (made[0].canonical, made[0].asks, made[0].means) == ("bad", "", ""), "an unknown axis keeps its bare name"
    assert made[1].canonical == "binary" and made[1].means == value_meaning("ndcg", "gain", "exp2") != ""


def test_a_label_is_short() -> None:
    one = AxisDifference("gain", "exp2", "binary")
    assert variant_label(()) == ""
    assert variant_label((one,)) == "gain:exp2"
    assert variant_label((one, one, one)) == "gain:exp2 +2"
    long = variant_label((AxisDifference("gain", "x" * 90, "binary"),))
    assert long == "gain:" + "x" * 34 + "…", "40 characters with the ellipsis"


# Commands that repeat a finding, as they are typed.


def on(name: str, **changes: object) -> Result:
    made = result(**changes)
    return made.model_copy(update={"dataset": made.dataset.model_copy(update={"name": name})})


def test_a_finding_on_a_named_dataset_is_repeated_alone() -> None:
    made = on("ml-100k", recommenders=("ease", "popular"), k=(5, 20))
    assert rerun_command(made, finding("ndcg")) == (
        "audit run -l alpha==1.0 --dataset ml-100k --recommender ease -k 20"
    )  # fmt: skip


def test_a_finding_without_a_cutoff_is_repeated_at_all_of_the_run() -> None:
    made = on("synthetic:small", recommenders=(), k=(5, 20))
    assert rerun_command(made, finding("auc")) == "audit run -l alpha==1.0 --dataset synthetic:small -k 5 -k 20"


def test_on_data_of_ones_own_the_whole_run_is_repeated() -> None:
    made = on("predictions.csv", command="audit run --predictions predictions.csv --truth truth.csv")
    assert rerun_command(made, finding("ndcg")) == "audit run --predictions predictions.csv --truth truth.csv"


def test_an_option_in_a_function_is_quoted_for_the_shell() -> None:
    given = finding("ndcg", function="alpha.ndcg[type=exp]")
    assert reproduce_command(given) == "audit reproduce 'alpha==1.0:alpha.ndcg[type=exp]' --k 20"
    assert reproduce_command(finding("auc")) == "audit reproduce alpha==1.0:alpha.auc"
    assert "'a b;c==1.0'" in rerun_command(on("ml-100k"), finding(name="a b;c"))


# Numbers and foreign text, formatted for readers.


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0004, "0.000"), (-0.0001, "0.000"), (-0.25, "−0.250"), (1.1512, "1.151"), (12345.6789, "12345.679"),
        (0.1695, "0.1695"), (-0.1695, "−0.1695"), (0.16951, "0.170"), (0.16949, "0.169"), (0.0005, "0.0005"),
        (math.nan, "nan"), (math.inf, "∞"), (-math.inf, "−∞"), (3.2e9, "3.2e+09"),
    ],
)  # fmt: skip
def test_values_have_three_decimals(value: float, shown: str) -> None:
    assert rounded(value) == shown


def test_a_third_in_every_length() -> None:
    third = 1 / 3
    assert (rounded(third), exact(third), brief(third), figure(third)) == (
        "0.333", "0.3333333333333333", "0.33", "0.333333",
    )  # fmt: skip
    assert (exact(None), brief(None), figure(4.0), figure(math.nan)) == ("–", "–", "4", "nan")


def test_a_cut_text_ends_with_an_ellipsis_within_its_length() -> None:
    assert [shortened("hit rate", longest) for longest in (9, 8, 7, 2)] == ["hit rate", "hit rate", "hit ra…", "h…"]


def test_line_breaks_become_spaces() -> None:
    assert one_line(" a\n\tb \r c ") == "a b c"


def test_hidden_characters_are_shown() -> None:
    assert printable("a\x1b\u202eb\x00\ue000") == "a\\x1b\\u202eb\\x00\ue000"
    assert printable("שלום\nx\u200d") == "שלום\nx\u200d"


def test_a_long_text_keeps_a_way_to_the_whole() -> None:
    long = "x" * 10_000
    assert passage(long).head == "x" * 240 + " …"
    assert passage(long).whole == long
    assert passage(long + "end", end=True).head == "… " + "x" * 237 + "end"
    assert passage("short") == passage("short\n")
    assert passage("short").whole is None


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("javascript:alert(1)", None), ("data:text/html,x", None), ("//example.org", None),
        ("https://x\" onclick=\"y", None), ("https://x\n.org", None), ("", None),
    ],
)  # fmt: skip
def test_only_plain_web_addresses_become_links(address: str, link: str | None) -> None:
    assert web_link(address) == link


# Labels: numbers with nouns, lists in sentences, titles of metrics.


def test_numbers_have_their_nouns() -> None:
    assert [count(1, "user"), count(2733, "user"), count(2, "library", "libraries")] == [
        "1 user", "2,733 users", "2 libraries"
    ]  # fmt: skip


def test_lists_in_a_sentence() -> None:
    assert [joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]


def test_titles_of_known_and_unknown_metrics() -> None:
    assert [metric_title("ndcg"), metric_title("unheard_of")] == ["NDCG", "unheard of"]


def test_every_verdict_and_every_status_without_a_value_has_words() -> None:
    assert set(VERDICT_MEANINGS) == set(get_args(Verdict))
    assert set(STATUS_LABELS) == set(get_args(Status)) - {"measured"}


# Tell whether a value is the canonical one.


def effect(same: bool) -> Effect:
    return Effect(formula=0.0, who_counts=0.0, input=0.0, total=0.0, same_value=same)


def row(value: float | None, k: int | None = 20) -> Reference | None:
    return None if value is None else Reference(metric="ndcg", k=k, signature="ndcg@20", value=value)


def test_a_library_that_rounds_gives_the_canonical_value_and_keeps_its_own_number() -> None:
    # 0.16945 rounded to four decimals is 0.1695 (half up), which rounded again is 0.170, while 0.16945 is 0.169.
    rounding = finding(value=0.1695, effect=effect(True))
    assert gives_canonical_value(rounding, row(0.16945))
    assert not gives_canonical_value(finding(value=0.1695, effect=effect(False)), row(0.16945))
    assert (rounded(0.1695), rounded(0.16945)) == ("0.1695", "0.169")


def test_a_value_of_whole_lists_is_not_the_canonical_value_at_k() -> None:
    # Cornac's MRR reads whole lists: 0.2856, the canonical value of whole lists; at k = 20 the canonical one is 0.2786.
    whole = finding(value=0.2856, k=None, effect=effect(True))
    assert not gives_canonical_value(whole, row(0.2786))
    assert gives_canonical_value(whole, row(0.2786, k=None)), "a metric without a cut-off has one canonical value"


@pytest.mark.parametrize(
    ("value", "canonical", "same"),
    [
        (0.1234, 0.1231, True), (0.1236, 0.1231, False), (math.nan, math.nan, False), (None, 0.1, False),
        (0.1, None, False),
    ],
)  # fmt: skip
def test_without_an_effect_the_digits_shown_decide(value: float | None, canonical: float | None, same: bool) -> None:
    assert gives_canonical_value(finding(value=value), row(canonical)) is same


# Letters of variants.


def test_letters_go_first_to_what_table_1_shows_and_never_end() -> None:
    marks = assign_letters(several_cutoffs()).letters
    assert marks[("ndcg", "ndcg@k|ideal:none")] == "a"
    assert marks[("ndcg", "ndcg@k|gain:exp2")] == "b"
    assert list(islice(letter_sequence(), 29))[24:] == ["y", "z", "aa", "ab", "ac"]


def test_a_letter_stands_for_a_formula_and_for_nothing_else() -> None:
    versions = ("1", "2", "3", "4")
    plain = differing("ndcg", "alpha", "users", "both", 0.1, version="1", verdict="agrees")
    other = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="2")
    tied = restated(other, version="3", signature=f"{other.signature}|ties:item_desc", differs_on=("gain", "ties"))
    made = result(libraries=[library(version=v) for v in versions], findings=(plain, other, tied, finding(version="4")))
    marks = assign_letters(made)
    assert [marks.mark(each) for each in made.findings] == ["", "a", "a", ""]
    assert set(marks.letters) == {("ndcg", "ndcg@k|gain:exp2")}


# Formulas that equal the canonical one on yes/no data.

NDCG = Reference(metric="ndcg", k=20, signature="ndcg@20", value=0.0934)


def test_a_formula_of_other_gains_equals_the_canonical_one() -> None:
    assert equals_canonical_on_yes_no_data(differing("ndcg", "beta", "gain", "exp2", 0.3), NDCG)
    assert not equals_canonical_on_yes_no_data(differing("ndcg", "beta", "ideal", "none", 0.3), NDCG)
    assert not equals_canonical_on_yes_no_data(differing("ndcg", "beta", "gain", "exp2", 0.3), None)
    unknown = differing("ndcg", "beta", "gain", "exp2", 0.3, verdict="unexplained")
    assert not equals_canonical_on_yes_no_data(unknown, NDCG), "nothing is said of what was not identified"
    other = finding("ndcg", "beta", signature="ndcg@20|no_such_axis:1", verdict="variant")
    assert not equals_canonical_on_yes_no_data(other, NDCG), "a signature of another version of this tool"


def test_a_function_without_a_cut_off_is_compared_with_the_canonical_formula_of_whole_lists() -> None:
    whole = {"k": None, "signature": "ndcg|gain:linear|cutoff:none", "verdict": "variant"}
    assert equals_canonical_on_yes_no_data(finding("ndcg", **whole), NDCG)
    uncut = finding("ndcg", signature="ndcg|gain:linear|cutoff:none", verdict="variant")
    assert not equals_canonical_on_yes_no_data(uncut, NDCG), "asked at k, it does not cut there"


def test_equal_formulas_count_once() -> None:
    formulas = ["?", "ndcg@k", "ndcg@k|gain:exp2", "ndcg@k|gain:exp2|ideal:all", "ndcg@k|ideal:all"]
    assert distinct_on_yes_no_data(formulas) == ["?", "ndcg@k", "ndcg@k|gain:exp2|ideal:all"]
