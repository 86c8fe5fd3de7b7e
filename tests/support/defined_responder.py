"""Provides a responder that computes definitions of the reference, on inputs that a fault may have changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from recsys_metric_audit.audit.process.protocol import Answer, Ask, Conversation, Errored, Measured, Outcome
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case

Change = Callable[[Case], Case]


@dataclass
class DefinedResponder:
    """Answers as functions would that compute ``signatures``; ``change`` and ``cut`` are the fault of the adapter."""

    signatures: Mapping[str, str]
    change: Change = lambda case: case
    cut: int = 0
    refuses: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)
    live: bool = True
    asked_in_full: bool = False
    recorded_on: str | None = None
    cached_on: str | None = None
    caution: str = ""

    def ask(
        self, cases: Mapping[str, Case], asks: Sequence[Ask], progress: Callable[[int, int], None],
        stop: threading.Event, hash_seed: int = 0,
    ) -> Conversation:  # fmt: skip
        answers = []
        for ask in asks:
            for function in ask.functions:
                self.asked.append(cases[ask.case].name)
                answers += [Answer(ask.id, function, k, self._outcome(function, cases[ask.case], k)) for k in ask.ks]
        return Conversation(None, tuple(answers), 0.25)

    def _outcome(self, function: str, case: Case, k: int | None) -> Outcome:
        if function in self.refuses:
            return Errored("ValueError", f"{function} takes\nno frames", "")
        definition = parse(self.signatures[function])
        made = evaluate(definition, Problem.of([self.change(case)], None if k is None else k + self.cut))
        return Measured(float(made.mean[0]), None, None, "float", 0.0)

    def close(self) -> None:
        pass
