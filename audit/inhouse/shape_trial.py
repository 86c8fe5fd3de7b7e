"""Trials of a function: which shape of call, and which metric, its answers to a few tiny inputs speak for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recsys_metric_audit.audit.inhouse.function_inputs import TRIAL_KINDS
from recsys_metric_audit.audit.inhouse.shapes import FRAMES, Shape
from recsys_metric_audit.audit.observations.observation import scalar
from recsys_metric_audit.audit.observations.probe_tables import problem_of
from recsys_metric_audit.audit.observations.rescale import rescale
from recsys_metric_audit.audit.process.protocol import Crashed, Measured, Outcome, TimedOut
from recsys_metric_audit.reference.cases import Probe, of_kind
from recsys_metric_audit.reference.catalogue import variants_of
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.evaluation.evaluate import evaluate
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reports.model.statement import WELL

AskProbes = Callable[[Shape, Sequence[Probe]], dict[str, Outcome]]
"""Asks a function for its values on probes in a shape of call."""

_SPREAD = 8
"""Every eighth trial input is asked first, to see whether a function answers anything in a shape of call."""
_NEAR = 2e-6  # what a function of float32 rounds away
_DIGITS, _EXACT = (2, 3, 4, 5), 1e-12
_SCALED_SHARE = 0.9  # stands for nearly all answers in percent, or turned round: so that other calls are tried, too
_NEARLY_ALIKE = 0.95
_MOST = 0.8  # of its answers, for another form than the first that raises nothing
_MUCH = 0.25  # more of its answers than in a usual call, or twice as many, speak for a rare one
_CHANCE = 0.5  # a standard deviation of one answer that agrees or not, at most
NEARLY_ALL = 0.9
"""The share of answers that must speak for another metric than the function's own name says."""


@dataclass(frozen=True, eq=False)
class Trial:
    """Holds what one shape of call gave, and the metric that fits most answers.

    Attributes:
        shape: The shape.
        answered: How many of its inputs have a number.
        taken: More than half of the inputs whose list is as long as the cut-off have one: others a function may refuse.
        agreement: The share of all inputs on which the best documented definition of ``metric`` gives the answer; less
            than 1 where it gives nearly all in percent, turned round or with the sign changed.
        metric: The metric.
        changes: On how many axes that definition is not canonical.
        varied: The answers are not nearly all alike: where no item is found, as in a wrong shape, all are 0, and the
            miss rate agrees.
        differs: There are two different answers.
    """

    shape: Shape
    answered: int
    taken: bool
    agreement: float
    metric: str | None
    changes: int = 0
    varied: bool = True
    differs: bool = True

    @property
    def is_usual(self) -> bool:
        """Return True if many functions are called so, and this one gives something in this call."""
        gives = self.taken and (self.varied or (self.differs and self.agreement >= WELL))
        return gives and not self.shape.rare and not self.shape.name.startswith(FRAMES.name)

    @staticmethod
    def of(shape: Shape, probes: Sequence[Probe], answers: Mapping[str, Outcome], metric: str | None) -> Trial:
        """Compare answers with the documented definitions of a metric, or of all for None.

        Args:
            shape: how the function was called.
            probes: the inputs.
            answers: the outcome of each, by its name.
            metric: the metric; None for every one.
        """
        numbers = [scalar(answers.get(probe.name)) for probe in probes]
        values = np.array([np.inf if each is None else each for each in numbers])  # no metric gives an infinity
        measured = [isinstance(answers.get(probe.name), Measured) for probe in probes]
        full = [
            known for probe, known in zip(probes, measured, strict=True) if len(probe.case.predictions.item) >= probe.k
        ]
        best: tuple[float, int] = (0.0, 0)
        metrics = (metric,) if metric is not None else METRICS
        for name in metrics if any(measured) else ():
            definitions, expected = _expected(name, tuple(probes))
            plain, *scaled = (np.mean(_close(values, made), axis=1) for made in _scaled(expected))
            shares = np.maximum(plain, np.where(np.max(scaled, axis=0) >= NEARLY_ALL, _SCALED_SHARE, 0)).tolist()
            own = max((share, -_changes(each)) for share, each in zip(shares, definitions, strict=True))
            if own > best and own[0] > 0:
                best, metric = own, name
        counts = np.unique(values, return_counts=True)[1]
        varied = bool(counts.max(initial=0) <= _NEARLY_ALIKE * len(values))
        taken = 2 * sum(full) > len(full)
        return Trial(shape, sum(measured), taken, best[0], metric, -best[1], varied, len(counts) > 1)


class ShapeAnswers(NamedTuple):
    """Holds the trial inputs of a shape of call, and the outcome of each by its name."""

    shape: Shape
    probes: Sequence[Probe]
    outcomes: Mapping[str, Outcome]

    @property
    def ended(self) -> Probe | None:
        """Return the first input on which the function ended its process or gave no answer; None without one."""
        return next(
            (each for each in self.probes if isinstance(self.outcomes.get(each.name), Crashed | TimedOut)), None
        )


def trial_probes(shape: Shape, k: int | None) -> tuple[Probe, ...]:
    """Return the tiny inputs of one user that a shape of call holds, at their own cut-offs or at ``k`` only."""
    probes = tuple(probe for probe in of_kind(*TRIAL_KINDS) if shape.holds(probe.case))
    return probes if k is None else tuple(probe for probe in rescale(probes, k) if shape.holds(probe.case))


def best_trial(trials: Sequence[Trial]) -> Trial:
    """Return the trial whose answers agree most with known definitions; of equal ones the likelier shape.

    A shape in which the function refuses most inputs is taken only where it does so in every shape: what it answers
    there may agree by chance. So may answers that are nearly all alike, some of those to a batch of one user, which
    functions of lists take as well. Of fewer inputs more agree by chance.
    """

    def rank(trial: Trial) -> tuple[bool, bool, bool, float, int]:
        by_chance = trial.shape.batch_of_one and trial.agreement < 1
        sure = trial.agreement - _CHANCE / max(trial.answered, 1) ** 0.5
        return trial.taken, trial.varied, not by_chance, sure, trial.answered

    return max(trials, key=rank)


def _changes(definition: Definition) -> int:
    """Return on how many axes a definition is not canonical; that it reads the list whole is none."""
    return len([axis for axis in definition.differs_on if (axis, definition.axes[axis]) != ("cutoff", "none")])


def recognised_shape(
    ask: AskProbes,
    shapes: Sequence[Shape],
    k: int | None,
    metric: str | None,
    *,
    sure: bool = True,
    speaks: Callable[[Shape], bool] = lambda shape: False,
    forms: Mapping[str, int] = MappingProxyType({}),
) -> tuple[ShapeAnswers | None, tuple[ShapeAnswers, ...]]:
    """Return the shape in which the answers agree most with known definitions, and all that were tried.

    It is None where the function refuses most inputs in every shape, or answers nearly all alike; in a shape for which
    the names of its parameters speak, two different answers are enough.

    Args:
        ask: Asks the function.
        shapes: The shapes to try.
        k: The only cut-off to ask at; None for several.
        metric: The metric whose definitions are tried; None for every one.
        sure: Whether the metric was told; if not, only the function's own name says it.
        speaks: Whether the names of all parameters speak for a shape.
        forms: Of each shape with several forms of its arguments, how many.
    """
    trials: list[Trial] = []
    answers: dict[Shape, ShapeAnswers] = {}
    for each in _trials(ask, shapes, k):
        trials.append(Trial.of(*each, metric))
        answers[each.shape] = each
        if each.ended or (trials[-1].agreement == 1 and trials[-1].varied):
            break
    if (best := best_trial(trials)).agreement < 1 or not best.varied:
        # The first form that raises nothing need not be the right one.
        likely = [each for each in answers if speaks(each) or each == best.shape]
        each_form = [replace(shape, form=form) for shape in likely for form in range(forms.get(shape.name, 0))]
        for each in _trials(ask, each_form, k):
            trial = Trial.of(*each, metric)
            if trial.agreement >= _MOST and trial.varied:
                trials.append(trial)
                answers[each.shape] = each
            if trial.agreement == 1:
                break
    tried = tuple(answers.values())
    best = best_trial(trials)
    # A function of lists takes tables as well: it finds the names of columns, and agrees by chance now and then.
    by_chance = best.agreement < WELL and best.shape.name.startswith(FRAMES.name)
    doubtful = best.shape.rare or (best.agreement < WELL and not speaks(best.shape))
    usual = [each for each in trials if speaks(each.shape) and each.is_usual]
    if usual and (by_chance or doubtful):
        rather = best_trial(usual)
        near = best.agreement <= min(rather.agreement + _MUCH, 2 * rather.agreement)
        best = rather if by_chance or near else best
    if not best.taken or not (best.varied or (best.differs and speaks(best.shape))):
        return None, tried
    # What takes one list takes a list of lists as well, and may find something in it.
    nested = best.shape.name.endswith("-users") and best.shape != shapes[0]
    if (best.agreement == 1 and not nested) or metric is None:
        return answers[best.shape], tried
    guessed = best.agreement < WELL and not speaks(best.shape)
    if (not sure or guessed) and not nested:
        of_any = best_trial([Trial.of(*each, None) for each in tried])
        if of_any.agreement == 1 and of_any.varied and not (sure and of_any.shape.one):
            return answers[of_any.shape], tried
    first = Trial.of(*answers[shapes[0]], None)
    if best.shape != shapes[0] and first.agreement == 1 and first.varied:
        # A function under a wrong name: recall is nearly precision with its arguments exchanged.
        return answers[shapes[0]], tried
    return answers[best.shape], tried


def _trials(ask: AskProbes, shapes: Sequence[Shape], k: int | None) -> Iterator[ShapeAnswers]:
    """Yield the answers in the likeliest shape; then those in each other, few where the function answers nothing.

    A shape is asked when it is taken: a function that hangs in a wrong shape hangs there only.
    """
    for place, shape in enumerate(shapes):
        probes = trial_probes(shape, k)
        few = probes if place == 0 else probes[::_SPREAD]
        outcomes = ask(shape, few)
        if len(few) < len(probes) and any(isinstance(outcome, Measured) for outcome in outcomes.values()):
            left = [probe for probe in probes if probe.name not in outcomes]
            outcomes |= ask(shape, left)
        yield ShapeAnswers(shape, [probe for probe in probes if probe.name in outcomes], outcomes)


def _close(values: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        near: NDArray[np.bool_] = np.abs(values - expected) <= np.maximum(
            _NEAR * np.maximum(1, np.abs(expected)), _rounded_away(values)
        )
    return near


def _rounded_away(values: NDArray[np.float64]) -> float:
    """Return up to what answers that are rounded to two or more digits are equal to what is expected."""
    known = values[np.isfinite(values)]
    if (known == np.round(known)).all():
        return 0.0
    digits = (each for each in _DIGITS if np.allclose(known, np.round(known, each), rtol=0, atol=_EXACT))
    return next((0.5 * 10.0**-each + _EXACT for each in digits), 0.0)


def _scaled(expected: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Return what is expected as it is, in percent, turned round, and with the sign changed."""
    return expected, 100 * expected, 1 - expected, -expected


@lru_cache(maxsize=64)
def _expected(metric: str, probes: tuple[Probe, ...]) -> tuple[list[Definition], NDArray[np.float64]]:
    """Return a metric's documented definitions, cut off or not, and their values: definitions × probes."""
    problem = problem_of(probes)
    definitions = [variant.definition.with_(k="k") for variant in variants_of(metric)] or [Definition.of(metric)]
    definitions += [uncut for each in definitions if (uncut := _uncut(each)) is not None]
    return definitions, np.array([evaluate(each, problem).mean for each in definitions])


def _uncut(definition: Definition) -> Definition | None:
    axis = next((axis for axis in definition.family.all_axes if axis.name == "cutoff"), None)
    if axis is None or not axis.admits("none") or definition.axes.get("cutoff") == "none":
        return None
    uncut = definition.with_(cutoff="none")
    return None if uncut.family.refusal(uncut.axes) else uncut
