"""Smaller cases that still show a fault, where it is known which row shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recsys_metric_audit.audit.process.protocol import Measured, Outcome
from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser
from recsys_metric_audit.audit.refutation.shrinking import in_words, shrink


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


def test_what_is_not_likely_is_tried_where_what_is_does_not_show_it() -> None:
    draft = Draft(users(4), (10, 11, 12, 13), 1.0, 2)
    small, _ = shrunk(draft, lambda made: any(u.id == 3 for u in made.users), [draft.of_users(draft.users[:1])])
    assert [user.id for user in small.users] == [3]


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
