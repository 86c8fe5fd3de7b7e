"""Each removal takes its feature away, and leaves a case without it as it is."""

from __future__ import annotations

import numpy as np
import pytest

from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser
from recsys_metric_audit.audit.refutation.held_out_cases import CASES, RARE, held_out_case
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting, features_of, without
from recsys_metric_audit.reference.metrics import METRICS

PLAIN = Draft(
    (DraftUser(1, ((10, 0.75), (11, 0.5), (12, 0.25)), ((11, 5.0),), (900,)),), (10, 11, 12, 800, 900), 3.5, 3
)  # fmt: skip


def test_a_plain_case_has_no_feature() -> None:
    assert features_of(PLAIN, Setting()) == {"gains other than 1", "one user alone"}


def has(feature: str, draft: Draft, setting: Setting) -> bool:
    return FEATURES[feature].remove(draft, setting) != draft


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize("rule", ["every_row", "at_least_t", "above_t"])
def test_what_is_removed_is_gone(feature: str, rule: str) -> None:
    setting = Setting(rule)
    # Scores below 0 are in odd cases only, and what no definition says anything of in rare ones.
    drafts = [held_out_case(0, number) for number in (0, 5, 10, *range(CASES, CASES + RARE))]
    assert any(has(feature, draft, setting) for draft in drafts)
    assert not any(has(feature, without(draft, {feature}, setting), setting) for draft in drafts)


def test_removing_all_but_the_formula_leaves_users() -> None:
    removed = {name for name, feature in FEATURES.items() if feature.axes}
    left = [without(held_out_case(0, number), removed, Setting()) for number in range(CASES)]
    assert sum(len(draft.users) for draft in left) > 300


def test_every_axis_named_exists() -> None:
    known = {axis.name for metric in METRICS.values() for axis in metric.all_axes}
    named = {axis for feature in FEATURES.values() for axis in feature.axes} - {"short_lists"}
    assert named <= known


ONE = DraftUser(1, ((10, 0.5), (11, 0.5), (10, 0.25)), ((10, 2.5), (10, 2.5), (12, 0.5)), (11, 900))
DRAFT = Draft((ONE, DraftUser(2, (), ((10, 3.0),)), DraftUser(3, ((10, -1.0),))), (10, 11, 12, 900, 901, 902), 2.0, 4)


@pytest.mark.parametrize(
    ("feature", "rows", "truth"),
    [
        ("repeated items", ((10, 0.5), (11, 0.5)), ONE.truth),
        ("repeated truth rows", ONE.rows, ((10, 2.5), (12, 0.5))),
        ("unlisted relevant items", ONE.rows, ((10, 2.5), (10, 2.5))),
        ("several relevant items", ONE.rows, ((10, 2.5),)),
        ("fractional gains", ONE.rows, ((10, 3.0), (10, 3.0), (12, 1.0))),
        ("irrelevant truth rows", ONE.rows, ((10, 4.3125), (10, 4.3125), (12, 4.0625))),
        ("short lists", (*ONE.rows, (901, 0.25 - 1 / 1024)), ONE.truth),
    ],
)
def test_rows_of_the_first_user(feature: str, rows: object, truth: object) -> None:
    made = without(DRAFT, {feature}, Setting("at_least_t"))
    assert (made.users[0].rows, made.users[0].truth) == (rows, truth)


def test_no_two_rows_tie_and_their_order_stays() -> None:
    made = without(DRAFT, {"ties"}, Setting())
    scores = [score for user in made.users for _, score in user.rows]
    assert len(set(scores)) == len(scores)
    assert sorted(scores[:3], reverse=True) == scores[:3]


def test_users_are_dropped_by_their_state() -> None:
    by_feature = {"users without a list": [1, 3], "users without relevant items": [1, 2]}
    for feature, left in by_feature.items():
        assert [user.id for user in without(DRAFT, {feature}, Setting()).users] == left


@pytest.mark.parametrize("number", range(CASES))
def test_removed_together_with_long_runs_ties_leave_scores_that_single_precision_tells_apart(number: int) -> None:
    made = without(held_out_case(0, number), {"long runs of ties", "ties", "scores of 0 and less"}, Setting())
    scores = np.array([score for user in made.users for _, score in user.rows])
    assert len(np.unique(scores.astype(np.float32))) == len(scores)


@pytest.mark.parametrize("number", range(CASES))
def test_each_draft_without_anything_unusual_is_without_each_feature(number: int) -> None:
    made = without(held_out_case(0, number), FEATURES, Setting())
    if made.users:
        assert features_of(made, Setting()) <= {"gains other than 1", "irrelevant truth rows"}
