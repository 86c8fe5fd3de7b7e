"""Ablation names the features responsible for a fault, where it is known which they are."""

from __future__ import annotations

from collections.abc import Callable

from recsys_metric_audit.audit.process.protocol import Measured, Outcome
from recsys_metric_audit.audit.refutation.ablation import Ablated, ablate
from recsys_metric_audit.audit.refutation.draft import Draft, DraftUser
from recsys_metric_audit.audit.refutation.unusual_features import FEATURES, Setting

SETTING = Setting()
DRAFT = Draft(
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
    search = ablate(DRAFT, "case", frozenset(FEATURES), SETTING, lambda draft, outcome: bool(outcome) and shows(draft))
    probes, names = next(search), list[str]()
    while True:
        names += [probe.name for probe in probes]
        outcome: Outcome = Measured(0.5, None, None, "float", 0.0)
        try:
            probes = search.send({probe.name: outcome for probe in probes})
        except StopIteration as end:
            return end.value, names


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
