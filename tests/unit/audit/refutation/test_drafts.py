"""Drafts: rows of users, and the case that they are asked as."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from recsys_metric_audit.audit.process.protocol import Measured, Outcome
from recsys_metric_audit.audit.refutation import removals
from recsys_metric_audit.audit.refutation.ablation import Ablated, ablate
from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser, draft_of
from recsys_metric_audit.audit.refutation.held_out_cases import CASES, RARE, held_out_case
from recsys_metric_audit.audit.refutation.shrinking import in_words, shrink
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting, features_of, without

ANN = DraftUser(3, ((11, 0.5), (10, 0.75)), ((10, 4.0), (10, 5.0), (12, 1.0)), (13,))
BOB = DraftUser(7, (), ((10, 2.0),))
DRAFT = Draft((ANN, BOB), (10, 11, 14), 2.5, 2)


def test_the_case_has_every_row_in_its_order() -> None:
    probe = DRAFT.probe("one")
    case = probe.case
    assert (case.name, probe.k, float(case.threshold)) == ("one", 2, 2.5)
    assert list(zip(case.predictions.user.tolist(), case.predictions.item.tolist(), case.predictions.score.tolist(),
                    strict=True)) == [(3, 11, 0.5), (3, 10, 0.75)]  # fmt: skip
    assert list(zip(case.truth.user.tolist(), case.truth.item.tolist(), case.truth.gain.tolist(), strict=True)) == [
        (3, 10, 4.0), (3, 10, 5.0), (3, 12, 1.0), (7, 10, 2.0),
    ]  # fmt: skip
    assert case.catalogue.tolist() == [10, 11, 12, 13, 14], "items of rows are in the catalogue too"


def test_a_case_becomes_the_draft_that_it_was_made_of() -> None:
    again = draft_of(DRAFT.probe("one"))
    assert again.users == DRAFT.users
    assert (again.threshold, again.k, again.items) == (2.5, 2, (10, 11, 12, 13, 14))


def test_an_item_that_stands_twice_has_its_last_gain() -> None:
    assert ANN.gains == {10: 5.0, 12: 1.0}


def test_a_user_without_rows_is_dropped() -> None:
    assert DRAFT.of_users((DraftUser(1, train=(10,)), BOB)).users == (BOB,)


# Removals of one feature, by hand: what changes, and what stays as it is.

STEP = 1 / 1024
"""The grid of all scores of held-out cases."""


def draft(*users: DraftUser, threshold: float = 2.0, k: int = 2) -> Draft:
    return Draft(users, tuple(range(10, 20)), threshold, k)


def user(*scores: float, gains: tuple[float, ...] = (), train: tuple[int, ...] = ()) -> DraftUser:
    """Return a user who is recommended the items 10, 11, ..., and has such truth."""
    return DraftUser(1, tuple(enumerate(scores, 10)), tuple(enumerate(gains, 10)), train)


@pytest.mark.parametrize(
    ("made", "rows", "truth"),
    [
        (removals.whole_gains(draft(user(gains=(0.25, 3.0, 2.5)))), {}, {10: 1.0, 11: 3.0, 12: 3.0}),  # rounded up
        (removals.gains_of_1(draft(user(gains=(0.25, 3.0)))), {}, {10: 1.0, 11: 1.0}),
        # All become relevant: whole gains stay whole, and in their order; others are 4 + gain / 8; if all are, none is.
        (removals.all_relevant(draft(user(gains=(1.0, 3.0))), "at_least_t"), {}, {10: 4.0, 11: 5.0}),
        (removals.all_relevant(draft(user(gains=(0.5, 3.0))), "at_least_t"), {}, {10: 4.0625, 11: 4.375}),
        (removals.all_relevant(draft(user(gains=(4.0, 5.0))), "at_least_t"), {}, {10: 4.0, 11: 5.0}),
        # The one relevant item that stays is the first in the truth.
        (removals.one_relevant(draft(user(gains=(1.0, 2.0, 5.0))), "at_least_t"), {}, {11: 2.0}),
        (removals.one_relevant(draft(user(gains=(2.0, 5.0))), "above_t"), {}, {11: 5.0}),
        (removals.listed_truth(draft(user(1.0, gains=(3.0, 3.0)))), {10: 1.0}, {10: 3.0}),
        (removals.listed_truth(draft(user(gains=(3.0,)))), {}, {10: 3.0}),  # without a list
        # Scores are raised by one amount, just above 0.
        (removals.positive_scores(draft(user(0.5, -1.0))), {10: 1.5 + STEP, 11: STEP}, {}),
        (removals.positive_scores(draft(user(0.5))), {10: 0.5}, {}),
        # Two rows at 1 and one half below: steps of (1/1024) / 4, as two rows need fewer than four steps.
        (removals.distinct_scores(draft(user(1.0, 1.0, 0.5))), {10: 1.0, 11: 1.0 - STEP / 4, 12: 0.5}, {}),
        # At most three rows tie.
        (removals.short_runs(draft(user(*[1.0] * 5))),
         {10: 1.0, 11: 1.0, 12: 1.0, 13: 1.0 - STEP / 1024, 14: 1.0 - 2 * STEP / 1024}, {}),
        (removals.sorted_rows(draft(user(0.5, 1.0, 0.5, 1.0))), {11: 1.0, 13: 1.0, 10: 0.5, 12: 0.5}, {}),
        # Short lists are filled with items that nobody has.
        (removals.filled_lists(draft(user(0.5, train=(11,)), k=3)), {10: 0.5, 12: 0.5 - STEP, 13: 0.5 - 2 * STEP}, {}),
    ],
)  # fmt: skip
def test_rows_of_a_user_by_hand(made: Draft, rows: dict[int, float], truth: dict[int, float]) -> None:
    (only,) = made.users
    assert (only.rows, only.truth) == (tuple(rows.items()), tuple(truth.items()))


def test_what_else_is_removed() -> None:
    assert removals.gains_of_1(draft(user(gains=(0.25, 3.0)))).threshold == 1.0
    listed = DraftUser(1, ((10, 1.0),), ((11, 3.0),), (10, 11, 12))
    assert removals.no_training_items(draft(listed)).users[0].train == (12,)
    first, second = removals.distinct_scores(draft(user(1.0), DraftUser(2, ((10, 1.0),)))).users
    assert first.rows[0][1] > second.rows[0][1] > 1.0 - STEP, "equal scores of different users part too"


def users_left(made: Draft) -> list[int]:
    return [user.id for user in made.users]


STATES = draft(
    DraftUser(1, ((10, 1.0), (11, 0.5)), ((10, 3.0),)),  # a hit and a miss
    DraftUser(2, (), ((10, 3.0),)),  # no list
    DraftUser(3, ((10, 1.0),), ((11, 1.0),)),  # nothing relevant from 2 on
    DraftUser(4, ((10, 1.0), (11, 0.5)), ((12, 3.0),)),  # no hit
    DraftUser(5, ((10, 1.0), (11, 0.5)), ((10, 3.0), (11, 3.0))),  # nothing irrelevant
)


@pytest.mark.parametrize(
    ("made", "left"),
    [
        (removals.only_users_with_list(STATES), [1, 3, 4, 5]),
        (removals.only_users_with_relevant(STATES, "at_least_t"), [1, 2, 4, 5]),
        (removals.only_users_with_hit(STATES, "at_least_t", cutoff=False), [1, 2, 3, 5]),
        (removals.only_users_with_irrelevant(STATES, "at_least_t", cutoff=False), [1, 2, 3, 4]),
        # A cut-off of 2 could mean the first row only, which is a hit of user 1.
        (removals.only_users_with_irrelevant(STATES, "at_least_t", cutoff=True), [2, 3, 4]),
    ],
)
def test_users_in_an_unusual_state_are_dropped(made: Draft, left: list[int]) -> None:
    assert users_left(made) == left


# Each removal takes its feature away, and leaves a case without it as it is.

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


ONE = DraftUser(1, ((10, 0.5), (11, 0.5), (10, 0.25)), ((10, 2.5), (10, 2.5), (12, 0.5)), (11, 900))
DRAFT_of_unusual_features = Draft(
    (ONE, DraftUser(2, (), ((10, 3.0),)), DraftUser(3, ((10, -1.0),))), (10, 11, 12, 900, 901, 902), 2.0, 4
)


@pytest.mark.parametrize(
    ("feature", "rows", "truth"),
    [
        ("repeated items", ((10, 0.5), (11, 0.5)), ONE.truth),
        ("repeated truth rows", ONE.rows, ((10, 2.5), (12, 0.5))),
    ],
)
def test_rows_of_the_first_user(feature: str, rows: object, truth: object) -> None:
    made = without(DRAFT_of_unusual_features, {feature}, Setting("at_least_t"))
    assert (made.users[0].rows, made.users[0].truth) == (rows, truth)


def test_no_two_rows_tie_and_their_order_stays() -> None:
    made = without(DRAFT_of_unusual_features, {"ties"}, Setting())
    scores = [score for user in made.users for _, score in user.rows]
    assert len(set(scores)) == len(scores)
    assert sorted(scores[:3], reverse=True) == scores[:3]


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


# Ablation names the features responsible for a fault, where it is known which they are.

SETTING = Setting()
DRAFT_of_ablation = Draft(
    (
        DraftUser(1, ((10, 0.5), (11, 0.5), (12, 0.25)), ((10, 4.0), (13, 4.5))),  # ties, a gain of 4.5
        DraftUser(2, (), ((10, 4.0),)),  # no list
    ),
    (10, 11, 12, 13, 14), 3.5, 3,
)  # fmt: skip


def ties(draft: Draft) -> bool:
    return any(len({score for _, score in user.rows}) < len(user.rows) for user in draft.users)


def no_list(draft: Draft) -> bool:
    return any(not user.rows for user in draft.users)


def ablated(shows: Callable[[Draft], bool]) -> tuple[Ablated, list[str]]:
    """Return what is responsible, and the names of all probes asked."""
    search = ablate(
        DRAFT_of_ablation, "case", frozenset(FEATURES), SETTING, lambda draft, outcome: bool(outcome) and shows(draft)
    )
    probes, names = next(search), list[str]()
    while True:
        names += [probe.name for probe in probes]
        outcome: Outcome = Measured(0.5, None, None, "float", 0.0)
        try:
            probes = search.send({probe.name: outcome for probe in probes})
        except StopIteration as end:
            return end.value[0], names


def test_a_plain_case_that_shows_it_needs_no_feature() -> None:
    found, names = ablated(lambda draft: True)
    assert found.features == frozenset()
    assert names[0] == "case, plain"


def test_one_feature_by_itself_is_found() -> None:
    found, names = ablated(ties)
    assert found.features == {"ties"}
    assert ties(found.draft) and not no_list(found.draft), "no other feature is left"
    assert "case, ties only" in names


def test_two_features_that_act_together_are_found_together() -> None:
    found, _ = ablated(lambda draft: ties(draft) and no_list(draft))
    assert found.features == {"ties", "users without a list"}
    assert ties(found.draft) and no_list(found.draft)


# Smaller cases that still show a fault, where it is known which row shows it.


def shrunk(draft: Draft, is_wrong: Callable[[Draft], bool], likely: Sequence[Draft] = ()) -> tuple[Draft, int]:
    """Return the smallest draft found and the number of probes, where every probe has an answer."""
    search = shrink(draft, "case", lambda made, outcome: outcome is not None and is_wrong(made), likely)
    asked, answers = 0, None
    while True:
        try:
            probes = next(search) if answers is None else search.send(answers)
        except StopIteration as end:
            return end.value, asked
        asked += len(probes)
        outcome: Outcome = Measured(0.5, None, None, "float", 0.0)
        answers = {probe.name: outcome for probe in probes}


def users(number: int) -> tuple[DraftUser, ...]:
    return tuple(DraftUser(user, ((10, 1.0), (11, 0.5)), ((10, 3.0), (12, 3.0)), (13,)) for user in range(number))


def test_one_user_with_one_row_of_each_table_is_left() -> None:
    draft = Draft(users(64), (10, 11, 12, 13), 1.0, 2)
    small, asked = shrunk(draft, lambda made: any(u.id == 37 and (12, 3.0) in u.truth for u in made.users))
    (user,) = small.users
    assert (user.id, len(user.rows), user.truth, user.train) == (37, 1, ((12, 3.0),), ())
    assert asked < 64


def test_users_that_are_likely_to_show_it_are_tried_first() -> None:
    draft = Draft(users(64), (10, 11, 12, 13), 1.0, 2)
    likely = [draft.of_users((user,)) for user in draft.users[36:40]]
    small, asked = shrunk(draft, lambda made: any(u.id == 37 for u in made.users), likely)
    assert [user.id for user in small.users] == [37]
    without, more = shrunk(draft, lambda made: any(u.id == 37 for u in made.users))
    assert without == small and asked < more


def test_what_no_smaller_case_shows_stays_whole() -> None:
    draft = Draft(users(3), (10, 11, 12, 13), 1.0, 2)
    small, _ = shrunk(draft, lambda made: len(made.users) == 3)
    assert small == draft


def test_a_case_without_an_answer_shows_nothing() -> None:
    draft = Draft(users(2), (10, 11, 12, 13), 1.0, 2)
    search = shrink(draft, "case", lambda made, outcome: outcome is not None)
    next(search)
    try:
        search.send({})
    except StopIteration as end:
        assert end.value == draft


def test_scores_a_billionth_apart_do_not_read_alike() -> None:
    told = in_words(Draft((DraftUser(1, ((10, 0.702106), (11, 0.702105999))),), (), 1.0, 2))
    assert "10 (0.702106), 11 (0.702105999)" in told


def test_a_small_case_is_told_in_words() -> None:
    ann = DraftUser(1, ((10, 1.0), (11, 0.5)), ((12, 2.5),), (11, 99))
    assert in_words(Draft((ann, DraftUser(2)), (), 1.0, 2)) == (
        "user 1: recommended 10 (1), 11 (0.5), of which in training 11; relevant 12 (gain 2.5); "
        "user 2: recommended nothing; relevant nothing; k = 2, threshold 1"
    )
    assert in_words(Draft(users(5), (), 1.5, 2)).endswith("; and 3 more users; k = 2, threshold 1.5")
