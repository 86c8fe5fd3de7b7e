"""Letters of variants."""

from __future__ import annotations

from itertools import islice

from recsys_metric_audit.reports.wording.variant_letters import assign_letters, letter_sequence
from tests.support.compared_results import several_cutoffs
from tests.support.result_samples import differing, finding, library, restated, result


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
