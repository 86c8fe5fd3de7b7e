"""Every finding of the recorded run against its own witness: an edge said to raise gives no number there."""

from __future__ import annotations

from functools import cache

import numpy as np

from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.reference.cases import DEGENERATE, EXHAUSTIVE, MIXED, PROBES, Probe
from recsys_metric_audit.reference.definitions.definition import Definition, parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.evaluation.evaluated import Evaluated
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE
from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.model.result_file import packaged_run

PROBE_OF = {probe.name: probe for probe in (*generated_cases.pool()[0], *PROBES, *EXHAUSTIVE, *DEGENERATE, *MIXED)}
_VISIBLE = 1e-4
_MANY = 150


@cache
def identified() -> tuple[Finding, ...]:
    """Return the findings with one definition that describes every input and whose axes are known, and a witness."""
    return tuple(
        each
        for each in packaged_run().result.findings
        if each.signature and each.witness and each.verdict in ("agrees", "variant", "undocumented")
        if each.witness.case in PROBE_OF and not set(each.unknown) - {"nobody"}
        if WITHOUT_RULE.isdisjoint(each.definition.values())
    )


def on(definition: Definition, probe: Probe) -> Evaluated:
    return evaluate(definition, Problem.of([probe.case], [probe.k]))


def test_no_finding_contradicts_its_own_witness() -> None:
    wrong, raised = [], 0
    for finding in identified():
        assert finding.witness is not None and finding.signature is not None
        definition, said = parse(finding.signature), finding.witness
        if not (finding.k is None or isinstance(definition.k, int)) or said.k not in (None, PROBE_OF[said.case].k):
            continue
        made = on(definition.with_(k="k") if definition.k else definition, PROBE_OF[said.case])
        if said.library_value is None:
            raised += bool(made.refused[0])
            continue
        same = np.isclose(made.mean[0], said.library_value, rtol=0, atol=_VISIBLE, equal_nan=True)
        if made.refused[0] or not (same or made.nobody[0]):
            wrong.append(f"{finding.library} {finding.version} {finding.function}: {made.mean[0]} on {said.text}")
    assert not wrong, "\n".join(wrong)
    assert raised, "some findings say that the library raises, where it does"


def test_many_findings_are_held_against_their_witness() -> None:
    assert len(identified()) > _MANY
