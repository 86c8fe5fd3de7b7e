"""Drafts: rows of users, and the case that they are asked as."""

from __future__ import annotations

from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser, draft_of

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


def test_size_counts_rows_of_predictions_and_truth() -> None:
    assert DRAFT.size == 2 + 3 + 1


def test_a_user_without_rows_is_dropped() -> None:
    assert DRAFT.of_users((DraftUser(1, train=(10,)), BOB)).users == (BOB,)
