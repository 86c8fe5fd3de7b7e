"""Surprises of a run."""

from __future__ import annotations

from reports.wording.surprises import surprises
from tests.support.result_samples import differing, finding, library, result


def test_surprises_come_in_the_order_of_their_surprise() -> None:
    assert [each.words for each in surprises(result())] == [
        "Not as documented (1): MAP of Beta 2.3.1, denominator:r",
        "Gives different answers to the same question (1): Recall of Gamma 0.4",
        # |0.4631 − 0.0934| / 0.0934 = 3.96, |1.151 − 0.475| / 0.475 = 1.42, |0.0034 − 0.0391| / 0.0391 = 0.91
        "Furthest from the canonical value (7): NDCG of Gamma 0.4, 0.463 for 0.093; HitRate of Beta 2.3.1, 1.151 for "
        "0.475; MAP of Gamma 0.4, 0.003 for 0.039; and 4 more",
        "Fits no definition (1): MAP of Gamma 0.4",
        "Did not run (1): Omega 9 (unavailable)",
    ]


def test_a_change_of_meaning_between_two_versions_is_a_surprise() -> None:
    new = differing("ndcg", "alpha", "gain", "exp2", 0.1, version="2.0")
    made = surprises(result(libraries=(library(version="2.0"), library()), findings=(new, finding())))
    assert made[0].words == "Another meaning than in the version before (1): NDCG of Alpha 2.0 (before: 1.0)"
