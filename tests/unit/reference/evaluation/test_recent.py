"""A bounded dict keeps what was made last; what was made first goes."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.recent import MOST_KEPT, Recent
from tests.support.generated_inputs import one


def test_the_oldest_entry_goes() -> None:
    kept = Recent[int, int]()
    for number in range(MOST_KEPT + 3):
        kept[number] = number
    assert len(kept) == MOST_KEPT and list(kept)[:2] == [3, 4]
    kept[5] = 0  # is there already
    assert len(kept) == MOST_KEPT and kept[5] == 0


def test_a_problem_keeps_no_more_lists_than_that() -> None:
    asked, definition = Problem.of([one("101", 3)], 2), parse("recall@k|relevance:positive")
    thresholds = [f"{number / 1000:g}" for number in range(MOST_KEPT + 50)]
    means = {float(evaluate(definition.with_(relevance=each), asked).mean[0]) for each in thresholds}
    assert means == {1 / 3}  # all gains are 1, and the first two rows hold one of three relevant items
    assert len(asked._lists) <= MOST_KEPT
