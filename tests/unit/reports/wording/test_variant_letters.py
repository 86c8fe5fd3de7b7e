"""Letters of variants."""

from __future__ import annotations

from itertools import islice

from reports.wording.variant_letters import assign_letters, letter_sequence
from tests.support.result_samples import several_cutoffs


def test_letters_go_first_to_what_table_1_shows_and_never_end() -> None:
    marks = assign_letters(several_cutoffs()).letters
    assert marks[("ndcg", "ndcg@k|ideal:none")] == "a"
    assert marks[("ndcg", "ndcg@k|gain:exp2")] == "b"
    assert list(islice(letter_sequence(), 29))[24:] == ["y", "z", "aa", "ab", "ac"]
