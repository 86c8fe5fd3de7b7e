"""Finds, among the contracts that functions of a form usually have, the one that their answers do not contradict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from recsys_metric_audit.audit.authoring.adapter_trial import FunctionTrial, Trial, try_functions
from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.responders.interface import Responder

_OTHERS: Final[Mapping[str, tuple[Takes, ...]]] = {
    "dicts": (Takes(gains="whole"), Takes(truth="set"), Takes(input="ranked"), Takes(input="ranked", truth="set")),
    "frames": (Takes(input="ranked"), Takes(gains="whole"), Takes(input="ranked", gains="whole"), Takes(truth="list")),
    "matrix": (Takes(input="matrix", gains="whole"), Takes(input="matrix", truth="set")),
    "tensors": (Takes(input="labels", truth="set"),),
    "per-list": (Takes(input="ranked", truth="set"), Takes(input="ranked")),
    "model": (Takes(input="matrix"),),
}
"""The contracts that are tried where answers contradict the usual one of a form."""


def with_fitting_contracts(trial: Trial, like: str, responder: Responder) -> Trial:
    """Return the trial with contracts that answers do not contradict.

    All functions get the contract that contradicts the fewest of them: what shows nothing of a contract has that of the
    others. Each one left then gets the first that does not contradict it, if any does not.
    """
    if not any(each.faults for each in trial.functions):
        return trial
    tried = [trial]
    for takes in _OTHERS[like]:
        again = [each.function.model_copy(update={"takes": takes}) for each in trial.functions]
        tried.append(try_functions(again, responder))
    best = min(tried, key=_faulty)
    others = [each for each in tried if each is not best]
    functions = tuple(_fitting(place, best, others) for place in range(len(best.functions)))
    return replace(best, functions=functions)


def _faulty(trial: Trial) -> int:
    return sum(bool(each.faults) for each in trial.functions)


def _fitting(place: int, best: Trial, others: Sequence[Trial]) -> FunctionTrial:
    found = (trial.functions[place] for trial in (best, *others) if not trial.functions[place].faults)
    return next(found, best.functions[place])
