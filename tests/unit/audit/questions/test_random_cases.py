"""Random cases have the features they are drawn for, and are the same in every run."""

from __future__ import annotations

from collections import Counter

import pytest

from recsys_metric_audit.audit.questions.case_features import FEATURES
from recsys_metric_audit.audit.questions.random_cases import one_user_case, several_users_case
from recsys_metric_audit.reference.input.case import Case


def of_first(case: Case) -> tuple[list[tuple[int, float]], list[tuple[int, float]], list[int]]:
    """Recommended (item, score), relevant (item, gain) and training items of user 1, who has every feature."""
    rec, rel, train = case.predictions, case.truth, case.train
    rows = [(i, s) for u, i, s in zip(rec.user.tolist(), rec.item.tolist(), rec.score.tolist(), strict=True) if u == 1]
    truth = [(i, g) for u, i, g in zip(rel.user.tolist(), rel.item.tolist(), rel.gain.tolist(), strict=True) if u == 1]
    return rows, truth, train.item[train.user == 1].tolist()


def has(feature: str, case: Case) -> bool:
    rows, truth, _ = of_first(case)
    items, scores, gains = [i for i, _ in rows], [s for _, s in rows], dict(truth)
    match feature:
        case "no list":
            return not rows
        case "no truth":
            return not truth
        case "no hit":
            return bool(rows) and not set(items) & set(gains)
        case "only hits":
            return set(items) <= set(gains)
        case "ties":
            return max(Counter(scores).values()) > 1
        case "repeats":
            return max(Counter(items).values()) > 1
        case "copies":
            return max(Counter(item for item, _ in truth).values()) > 1
        case "signs":
            return min(scores) <= 0 and 0.0 in scores
        case "gains of 1":
            return set(gains.values()) == {1.0}
        case "one relevant item":
            return len(truth) == 1
        case "rated misses":
            return set(items) <= set(gains)
        case "short list":
            return len(rows) < 4
        case _:
            return True


@pytest.mark.parametrize("feature", FEATURES)
def test_the_first_user_has_the_feature(feature: str) -> None:
    for number in range(6):
        probe = several_users_case(frozenset({feature}), number)
        assert has(feature, probe.case), probe.name
        assert feature in probe.name


def test_the_number_of_users_and_the_name_follow_the_number() -> None:
    for number, users in ((0, 3), (1, 4)):
        probe = several_users_case(frozenset(), number)
        assert set(probe.case.predictions.user.tolist()) == set(range(1, users + 1))
        assert probe.name == f"separating case {number + 1}: nothing unusual"


def test_one_user_is_alone() -> None:
    probe = one_user_case(frozenset({"ties"}), 0)
    assert set(probe.case.predictions.user.tolist()) == set(probe.case.truth.user.tolist()) == {1}
    assert probe.name == "separating case 1: one user, ties" and has("ties", probe.case)


def test_a_case_is_drawn_the_same_again() -> None:
    one, other = (several_users_case(frozenset({"ties", "gains"}), 3) for _ in range(2))
    assert one.k == other.k and one.case.predictions.score.tolist() == other.case.predictions.score.tolist()
    assert several_users_case(frozenset({"ties"}), 3, k=1).k == 1


def test_the_threshold_goes_with_the_gains() -> None:
    thresholds = {
        name: several_users_case(frozenset({name}), 0).case.threshold for name in ("gains", "gains of 1", "ties")
    }
    assert thresholds == {"gains": 3.0, "gains of 1": 1.0, "ties": 2.0}
