"""Describes a call of one's own function: shape, cut-offs, and the scope in which its answers are read.

A scope says for which inputs, or up to which change of the number, a sentence holds: "where every gain is 1",
"1 − the definition", "rounded to 2 digits". What is told in a scope was asked in it: the same inputs, the same
held-out inputs and the same data as without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from recsys_metric_audit.audit.inhouse.function_inputs import NOT_HELD, rectangular
from recsys_metric_audit.audit.inhouse.running import Running
from recsys_metric_audit.audit.inhouse.shapes import Shape
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import decimals_type
from recsys_metric_audit.audit.process.protocol import (
    Answer,
    Ask,
    Conversation,
    Crashed,
    Measured,
    Outcome,
    TimedOut,
    Unaskable,
)
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.input.case import Case
from recsys_metric_audit.reports.model.statement import WHOLE, Scope

OTHER_CUTOFF = Unaskable("it is asked at one cut-off only")


UNIT_GAINS = Scope(where="where every gain is 1", gains_of_1=True)
ONE_RELEVANT = Scope(where="where each user has one relevant item, of gain 1", gains_of_1=True, one_relevant=True)
SCALES = (
    Scope(times="100 times", factor=100.0),
    Scope(times="1 −", offset=1.0, factor=-1.0),
    Scope(times="−", factor=-1.0),
)
ROUNDED = (
    Scope(where="rounded to 2 digits", digits=2),
    Scope(where="rounded to 1 digit", digits=1),
)


def was_asked(outcome: Outcome) -> bool:
    """Return False for a call that was never made, because the function had ended its process too often."""
    return not isinstance(outcome, Crashed | TimedOut) or outcome.asked


def as_defined(scope: Scope, outcome: Outcome) -> Outcome:
    """Return an answer as the definition gives it: over the factor of the scope, without its offset."""
    if not isinstance(outcome, Measured) or (scope.offset, scope.factor, scope.digits) == (0.0, 1.0, None):
        return outcome
    mean = None if outcome.mean is None else (outcome.mean - scope.offset) / scope.factor
    values = None if outcome.values is None else (np.asarray(outcome.values) - scope.offset) / scope.factor
    dtype = outcome.dtype if scope.digits is None else decimals_type(scope.digits)
    return replace(outcome, mean=mean, values=values, dtype=dtype)


@dataclass(frozen=True, eq=False)
class Call:
    """Holds how a function is called, and in what scope its answers are read.

    Attributes:
        running: The function.
        shape: The shape of the call.
        k: The only cut-off to ask at; None for several.
        scope: The scope.
        asked: The scope that was asked for: what holds in it is no exception.
    """

    running: Running
    shape: Shape
    k: int | None = None
    scope: Scope = WHOLE
    asked: Scope = WHOLE

    def within(self, scope: Scope) -> Call:
        """Return the call in a scope: of one relevant item for each user, the shape holds no other input."""
        shape = replace(self.shape, one=True) if scope.one_relevant else self.shape
        return replace(self, scope=scope, shape=shape)

    @property
    def is_as_asked(self) -> bool:
        """Return True if the answers are read in the scope that was asked for."""
        return self.scope == self.asked

    @property
    def cutoff(self) -> bool:
        """Return True if the function is given a cut-off, or is asked at the only one that it has."""
        return self.k is not None or self.running.takes_cutoff(self.shape)

    def function(self, name: str, metric: str) -> Function:
        """Return the function with its contract: the axes that no such call can show."""
        hidden = {*self.shape.not_shown, *(("relevance",) if self.scope.gains_of_1 else ())}
        made = [{"what": self.shape.call, "decides": sorted(hidden)}] if hidden else []
        about = {"name": name or "function", "metric": metric, "cutoff": self.cutoff, "called_with": made}
        return Function.model_validate(about)

    def outcomes(self, probes: Sequence[Probe], *, again: bool = False) -> dict[str, Outcome]:
        """Ask the function about probes; return the outcomes by the probe's name. See :meth:`Running.outcomes`."""
        return self.answers({probe.name: (probe.case, probe.k) for probe in probes}, again=again)

    def ask(self, cases: Mapping[str, Case], asks: Sequence[Ask]) -> Conversation:
        """Answer what identification and refutation ask of a library; what the call cannot hold is said to be so."""
        named = {f"{ask.id}": (cases[ask.case], ask.ks[0]) for ask in asks}
        outcomes = self.answers(named)
        return Conversation(
            None, tuple(Answer(ask.id, ask.functions[0], ask.ks[0], outcomes[f"{ask.id}"]) for ask in asks), 0.0
        )

    def answers(self, named: Mapping[str, tuple[Case, int | None]], *, again: bool = False) -> dict[str, Outcome]:
        """Ask the function about cases, each at its cut-off, in one exchange; return the outcomes by name."""
        why_not = {name: self._why_not(case, k) for name, (case, k) in named.items()}
        held = {name: (self.given(case), k) for name, (case, k) in named.items() if why_not[name] is None}
        given = self.running.outcomes(self.shape, held, again=again)
        return {name: why or as_defined(self.scope, given[name]) for name, why in why_not.items()}

    def _why_not(self, case: Case, k: int | None) -> Unaskable | None:
        if not self.shape.holds(case) or (self.scope.gains_of_1 and not _is_labelled(case)):
            return NOT_HELD
        return OTHER_CUTOFF if self.k is not None and k not in (None, self.k) else None

    def given(self, case: Case) -> Case:
        """Return a case as the function is given it in this scope."""
        if not self.scope.gains_of_1:
            return case
        return replace(case, truth=replace(case.truth, gain=np.ones_like(case.truth.gain)), threshold=1.0)

    def data(self, case: Case, k: int) -> tuple[Case, Outcome]:
        """Ask for the value on larger data; where it is refused, on data whose lists are all equally long."""
        held = self.shape.data(case)
        for each in (held, rectangular(held)):
            outcome = as_defined(self.scope, self.running.outcomes(self.shape, {"data": (self.given(each), k)})["data"])
            if isinstance(outcome, Measured):
                break
        return each, outcome


def _is_labelled(case: Case) -> bool:
    """Return True if every row of the truth is relevant by any rule."""
    return bool((case.truth.gain >= case.threshold).all() and (case.truth.gain > 0).all())


def every_scale() -> Iterator[Scope]:
    """Yield the scopes in which a number may be that of a definition turned round or scaled, the plain one first."""
    yield WHOLE
    yield from SCALES
