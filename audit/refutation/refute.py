"""The refutation of all functions of a library: their trials ask in common conversations."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from threading import Thread

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.identification.loop import AskLibrary
from recsys_metric_audit.audit.process.protocol import Ask, Outcome
from recsys_metric_audit.audit.refutation.held_out_cases import CASES, RARE, held_out_case
from recsys_metric_audit.audit.refutation.held_out_lists import held_out_items, try_shown_items
from recsys_metric_audit.audit.refutation.held_out_trial import FIRST, try_to_refute
from recsys_metric_audit.audit.refutation.judgement import Answers
from recsys_metric_audit.audit.refutation.trial import Trial, Trying
from recsys_metric_audit.reference.cases import Probe
from recsys_metric_audit.reference.input.case import Case


def refute(diagnoses: Mapping[str, Diagnosis], ask: AskLibrary) -> dict[str, Trial]:
    """Try every diagnosis on held-out cases; all functions are asked in one conversation as long as they ask.

    Args:
        diagnoses: The diagnoses by function name.
        ask: Puts the held-out cases to the library.

    Returns:
        The trials by function name.
    """
    trials: dict[str, Trial] = {}
    trying = {
        name: try_shown_items(each) if _reads_items(each) else try_to_refute(each) for name, each in diagnoses.items()
    }
    wanted: dict[str, tuple[Probe, ...]] = {}
    answers: Mapping[str, Answers] = {}
    while trying:
        for name, each in tuple(trying.items()):
            probes = _step(each, answers[name] if name in wanted else None)
            if isinstance(probes, Trial):
                trials[name] = probes
                del trying[name]
                wanted.pop(name, None)
            else:
                wanted[name] = probes
        answers = _ask(diagnoses, wanted, ask) if wanted else {}
    return {name: trials[name] for name in diagnoses}


def prepare_cases(*, with_items: bool) -> None:
    """Draw the held-out cases that are tried first in a thread, so that they are there when they are asked.

    Where there is no memory for them or no further thread, they are drawn then.

    Args:
        with_items: Also those for functions of metrics beyond accuracy.
    """
    with suppress(RuntimeError):
        Thread(target=draw_first_cases, args=(with_items,), daemon=True).start()


def draw_first_cases(with_items: bool) -> None:
    """Draw the held-out cases that are tried first, and keep them."""
    with suppress(MemoryError):
        for number in range(CASES + RARE):
            held_out_case(FIRST, number, None)  # kept by its arguments as a trial gives them
        if with_items:
            held_out_items(copies=False)


def _reads_items(diagnosis: Diagnosis) -> bool:
    fit = diagnosis.fit
    return fit is not None and any(each.family.reads != "relevance" for each in fit.definitions)


def _step(trying: Trying, answers: Answers | None) -> tuple[Probe, ...] | Trial:
    """Send a trial the answers to what it asked, and return what it asks next, or how it ended."""
    try:
        return next(trying) if answers is None else trying.send(answers)
    except StopIteration as end:
        trial: Trial = end.value
        return trial


def _ask(
    diagnoses: Mapping[str, Diagnosis], wanted: Mapping[str, tuple[Probe, ...]], ask: AskLibrary
) -> Mapping[str, Answers]:
    """Put to each function the probes that its trial asks, all in one conversation; equal ones are asked together."""
    asked: dict[tuple[str, int | None], dict[str, list[str]]] = {}
    cases: dict[str, Case] = {}
    digests: dict[int, str] = {}
    for name, probes in wanted.items():
        for probe in probes:
            # Functions share the probes of a variant as objects.
            digest = digests.setdefault(id(probe), "") or input_digest(probe.case)
            digests[id(probe)] = digest
            cases.setdefault(digest, probe.case)
            k = probe.k if diagnoses[name].function.cutoff else None
            asked.setdefault((digest, k), {}).setdefault(name, []).append(probe.name)
    asks = [Ask(number, digest, tuple(own), (k,)) for number, ((digest, k), own) in enumerate(asked.items())]
    named = list(asked.values())
    answers: dict[str, dict[str, Outcome]] = {name: {} for name in wanted}
    for answer in ask(cases, asks).answers:
        names = named[answer.ask][answer.function]
        answers[answer.function] |= dict.fromkeys(names, answer.outcome)
    return answers
