"""Chooses what a function of a metric beyond accuracy is asked next: what tells fitting definitions apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.identification.given_answers import infer_search_tolerance
from audit.identification.items.item_formulas import Known, asked_of, shows_a_formula, tried_definitions
from audit.libraries.function import Function
from audit.observations.evidence import evaluate_cached, gather_evidence
from audit.observations.observation import Observation
from audit.process.protocol import Measured
from audit.questions.contract_probes import is_asked
from audit.questions.value_comparison import count_distinct, number_values, refine
from reference.cases import Probe
from reference.cases.item_probes import SHOWN_ITEMS
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem


def item_probes_left(function: Function, observation: Observation, known: Known = ()) -> tuple[Probe, ...]:
    """Return probes that tell apart the definitions which fit the answers on ordinary rows so far.

    Where none fits, answers show no formula, or one is a refusal, all that was not asked is returned: it may tell what
    is near, or what is refused.

    Args:
        function: The function.
        observation: Its answers.
        known: Known definitions: what fits is looked for near them first.
    """
    left = [each for each in asked_of(function.metric, None)[0] if each.name not in observation.probes]
    left = [each for each in left if is_asked(function, each)]
    if not left:
        return ()
    ordinary = gather_evidence(observation.probes, *asked_of(function.metric, SHOWN_ITEMS))
    tolerance = infer_search_tolerance(observation)
    tried = tried_definitions(function.metric, function, ordinary, tolerance, known)
    fitting, _ = tried.fitting(tried.only_expected_refusals(ordinary), tolerance)
    refused = any(not isinstance(each, Measured) for each in observation.probes.values())
    if not fitting or refused or not shows_a_formula(ordinary):
        return tuple(left)
    return _separating([each for each in left if each.kind == SHOWN_ITEMS], fitting)


def _separating(probes: Sequence[Probe], definitions: Sequence[Definition]) -> tuple[Probe, ...]:
    """Choose probes, each of which splits the definitions into as many groups as possible, until none splits them."""
    if not probes or len(definitions) < 2:
        return ()
    asked = Problem.of([probe.case for probe in probes], [probe.k for probe in probes])
    made = [evaluate_cached(each, asked) for each in definitions]
    results = [np.where(each.refused, -2.0, np.nan_to_num(each.mean, nan=-1.0)) for each in made]
    classes = number_values(np.array(results))
    group, chosen = np.zeros(len(definitions), dtype=np.int64), list[int]()
    while True:
        counts = count_distinct(refine(group[:, np.newaxis], classes))
        if counts.max() == count_distinct(group):
            return tuple(probes[number] for number in chosen)
        chosen.append(int(counts.argmax()))
        group = np.unique(refine(group, classes[:, chosen[-1]]), return_inverse=True)[1]
