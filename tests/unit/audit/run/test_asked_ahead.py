"""A conversation that was held ahead is given once, to whoever asks the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from recsys_metric_audit.audit.process.protocol import Ask, Conversation
from recsys_metric_audit.audit.run.asked_ahead import AskedAhead
from recsys_metric_audit.reference.input.case import Case
from tests.support.generated_inputs import make

CASE = make([(1, 10, 2.0), (1, 11, 1.0)], [(1, 10, 1.0)], [])
ASKS = [Ask(0, "s000", ("a.recall",), (5,))]


class Library:
    """Counts the conversations with it."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, cases: Mapping[str, Case], asks: Sequence[Ask], hash_seed: int = 0) -> Conversation:
        self.count += 1
        return Conversation(None, (), float(self.count))


def test_what_was_asked_ahead_is_not_asked_again_but_once() -> None:
    library, ahead = Library(), Library()
    ask = AskedAhead(library, ahead)
    held = ask.ahead({"s000": CASE}, ASKS)
    assert ask({"s000": CASE}, ASKS) is held
    assert library.count == 0
    ask({"s000": CASE}, ASKS)
    assert (library.count, ahead.count) == (1, 1)


def test_equal_conversations_are_given_in_the_order_in_which_they_were_held() -> None:
    ask = AskedAhead(Library(), Library())
    held = [ask.ahead({"s000": CASE}, ASKS) for _ in range(2)]
    assert [ask({"s000": CASE}, ASKS) for _ in range(2)] == held


def test_other_calls_other_rows_and_another_hash_seed_are_asked() -> None:
    library = Library()
    ask = AskedAhead(library, Library())
    ask.ahead({"s000": CASE}, ASKS)
    ask({"s000": CASE}, [replace(ASKS[0], ks=(6,))])
    ask({"s000": replace(CASE, threshold=2.0)}, ASKS)
    ask({"s000": CASE}, ASKS, 7)
    assert library.count == 3
