"""Asks a library on files of a user's kind, and compares its answers with what ``audit evaluate --as`` prints."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path

import numpy as np

from recsys_metric_audit.audit.cli.evaluation.library_definitions import Wanted
from recsys_metric_audit.audit.cli.evaluation.scores import Score, scores
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Ask, Limits, Measured, NotOffered, Outcome, Unaskable
from recsys_metric_audit.audit.responders.choice import find_responder
from tests.support.users_files import Drawn, drawn_files

PRINTED = 5.1e-5
"""Numbers that differ by no more are printed alike, with four digits."""


@dataclass
class Compared:
    """Counts comparisons: ``same`` number, ``refused`` by both, ``declined``, ``unaskable``; and lists the others."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, list[str]] = field(default_factory=dict)

    def add(self, function: str, what: str, score: Score, drawn: Drawn, returned: object) -> None:
        """Count a comparison; one that is wrong is kept in words."""
        self.counts[what] += 1
        if what == "wrong":
            told = score.refusal or (score.values and score.values.mean)
            words = f"{score.definition} gives {told}, the library {returned}; k {drawn.k}, {drawn.kind}"
            self.wrong.setdefault(function, []).append(words)


def answers(
    manifest: Manifest, version: Version, files: Sequence[Drawn], functions: frozenset[str] | None = None
) -> dict[tuple[int, str], Outcome]:
    """Return what each function of a library answers on each of the files, by the number of the file and its name."""
    offered = [each for each in manifest.functions_of(version) if functions is None or each.name in functions]
    asks = [
        Ask(2 * number + cut, str(number), names, (drawn.k if cut else None,))
        for number, drawn in enumerate(files)
        for cut in (False, True)
        if (names := tuple(each.name for each in offered if each.cutoff == cut))
    ]
    responder = find_responder(manifest, version, {}, Limits(), lambda step: None)
    cases = {str(number): drawn.data.case for number, drawn in enumerate(files)}
    try:
        said = responder.ask(cases, asks, lambda done, total: None, threading.Event())
    finally:
        responder.close()
    return {(each.ask // 2, each.function): each.outcome for each in said.answers}


def compared(wanted: Sequence[Wanted], files: Sequence[Drawn], told: Mapping[tuple[int, str], Outcome]) -> Compared:
    """Compare what ``--as`` evaluates on files with what the library answered."""
    out = Compared()
    for number, drawn in enumerate(files):
        for score in scores(drawn.data, wanted, (drawn.k,)):
            for function in score.wanted.functions:
                outcome = told.get((number, function))
                if outcome is not None and not isinstance(outcome, NotOffered):
                    what, returned = _compared(score, outcome)
                    out.add(function, what, score, drawn, returned)
    return out


def _compared(score: Score, outcome: Outcome) -> tuple[str, object]:
    refused = score.values is None
    if isinstance(outcome, Unaskable):
        return ("unaskable" if refused else "wrong"), outcome.why
    if not isinstance(outcome, Measured):
        return ("refused" if refused else "wrong"), outcome
    mean = outcome.mean
    if mean is None and outcome.values is not None:
        mean = float(np.mean(outcome.values)) if len(outcome.values) else None
    if score.values is None:  # it says that it raises, or that it is not known
        return ("wrong" if score.refusal.startswith("raises") else "declined"), mean
    if mean is None:
        return "nobody", mean
    own = score.values.mean
    return ("same" if abs(mean - own) <= PRINTED or (isnan(mean) and isnan(own)) else "wrong"), mean


def files_of(seeds: Sequence[int], folder: Path) -> list[Drawn]:
    """Draw the files of several seeds."""
    return [drawn_files(seed, folder) for seed in seeds]
