"""Tests one round of questions about a hypothesis, and what is told of it where nothing more is asked."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.identification.hypotheses.proposal import Proposal
from recsys_metric_audit.audit.identification.hypotheses.refuting import Refuting, refuting_probes
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Measured
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES
from recsys_metric_audit.reference.cases import DEGENERATE, Probe
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.answers_of_oracle import oracle_outcome


def round_of(signature: str, probes: tuple[Probe, ...] = INITIAL_PROBES[:12], *, last: bool = False) -> Refuting:
    """Return what is left to be asked of a hypothesis that is right on some probes."""
    seen = Observation("f", {probe.name: oracle_outcome(signature, probe) for probe in probes}, {})
    function = Function(name="f", metric=parse(signature).metric)
    return refuting_probes(Proposal((parse(signature),)), function, seen, last=last)


def means(signature: str, probes: tuple[Probe, ...]) -> list[float]:
    outcomes = [oracle_outcome(signature, probe) for probe in probes]
    return [round(each.mean, 9) for each in outcomes if isinstance(each, Measured) and each.mean is not None]


def test_rules_of_ties_are_told_from_each_other_at_once() -> None:
    """Where the hypothesis has no rule of ties, one rule at most is left after one round, whatever is answered."""
    probes = round_of("ndcg@k|ties:other").probes
    rules = ("given", "reversed", "item_asc", "item_desc", "best", "worst", "average")
    every = [means(f"ndcg@k|ties:{rule}", probes) for rule in rules]
    assert all(len(each) == len(probes) for each in every)
    assert len({tuple(each) for each in every}) == len(rules)
    assert len(probes) < 20


@pytest.mark.slow
def test_what_is_not_asked_any_more_is_not_known() -> None:
    left = round_of("recall@k", last=True)
    assert left.probes == () and {"ties", "duplicates"} <= set(left.unknown)
    assert round_of("recall@k", (*INITIAL_PROBES, *DEGENERATE), last=True) == Refuting(())
