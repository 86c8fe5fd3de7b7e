"""Identifies the functions of a library, known definitions first, and tries to refute what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.loop import AskLibrary, IdentifyProgress, diagnose
from recsys_metric_audit.audit.identification.process_pool import ProcessPool
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.refutation.refute import refute
from recsys_metric_audit.audit.refutation.trial import Trial
from recsys_metric_audit.reference.definitions.definition import Definition


def identify_functions(
    functions: Sequence[Function],
    observations: Mapping[str, Observation],
    processes: ProcessPool,
    ask: AskLibrary,
    progress: IdentifyProgress = lambda identified, total: None,
    known: Mapping[str, Sequence[Sequence[Definition]]] = MappingProxyType({}),
) -> dict[str, Trial]:
    """Identify every function from its initial answers, and try the result on held-out cases.

    Where held-out cases refute a definition that few questions found, or none could be tried, all initial questions
    are asked.

    Args:
        functions: The functions of one library.
        observations: Their answers to the initial questions, by function name.
        processes: The processes that identify.
        ask: Puts further questions to the library.
        progress: Is told how many functions are identified.
        known: Known definitions, which are tried first, by function name, in groups, the likeliest group first.

    Returns:
        The trials by function name.
    """
    identified = diagnose(functions, observations, processes, ask, progress, known)
    trials = refute(identified, ask)
    if doubted := {name: each for name, each in identified.items() if _is_doubted(each, trials[name])}:
        again = {name: each.observation for name, each in doubted.items()}
        trials |= refute(diagnose(functions, again, processes, ask), ask)
    return trials


def _is_doubted(diagnosis: Diagnosis, trial: Trial) -> bool:
    """Return True if few questions found a definition, and held-out cases refute it or were not answered."""
    if not diagnosis.from_few:
        return False
    fit = trial.diagnosis.fit
    return trial.users == 0 or fit is None or not fit.definitions
