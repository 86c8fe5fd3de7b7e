"""Names the cases that would settle what a file of answers leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from recsys_metric_audit import Definition, parse
from recsys_metric_audit.audit.inhouse.function_inputs import function_inputs
from recsys_metric_audit.audit.inhouse.shapes import FRAMES
from recsys_metric_audit.audit.inhouse.sheets.answers import AnswersResult, identify_answers
from recsys_metric_audit.audit.inhouse.sheets.further_cases import FurtherCases, further_cases
from recsys_metric_audit.audit.inhouse.sheets.probe_files import case_id
from recsys_metric_audit.audit.inhouse.summary import Summary
from recsys_metric_audit.audit.inhouse.telling.summary_text import answers_text
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Measured, Outcome
from recsys_metric_audit.reference.cases import DEGENERATE, Kind, Probe
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from tests.support.result_samples import finding

PROBES = function_inputs(FRAMES).probes
RECALL = parse("recall@k")


def value(definition: Definition, probe: Probe) -> float:
    found = evaluate(definition, Problem.of([probe.case], [probe.k]))
    return float("nan") if found.refused[0] else float(found.mean[0])


def chosen(
    *axes: str, answered: Sequence[Probe] = (), by: Definition = RECALL, equivalent: tuple[str, ...] = ()
) -> FurtherCases:
    made = finding(metric="recall", signature="recall@k", equivalent=equivalent, verdict="variant")
    known: dict[str, Outcome] = {
        probe.name: Measured(value(by, probe), None, None, "float64", 0.0) for probe in answered
    }
    found = further_cases(Summary(made, axes, {}), Observation("answers", known, {}), PROBES)
    assert found is not None
    return found


def told_apart(one: Definition, other: Definition, probes: Sequence[Probe]) -> bool:
    pairs = zip(values(one, tuple(probes)), values(other, tuple(probes)), strict=True)
    return any((a == a) != (b == b) or abs(a - b) > 1e-6 for a, b in pairs)


@cache
def values(definition: Definition, probes: tuple[Probe, ...]) -> list[float]:
    found = evaluate(definition, Problem.of([probe.case for probe in probes], [probe.k for probe in probes]))
    assert not found.refused.any()
    return [float(each) for each in found.mean]


@pytest.mark.parametrize("axis", ["ties", "duplicates", "truth_duplicates"])
def test_few_cases_tell_all_values_of_an_axis_apart_that_its_kind_tells_apart(axis: str) -> None:
    found = chosen(axis)
    kind = found.probes[0].kind
    every = [probe for probe in PROBES if probe.kind == kind]
    assert {probe.kind for probe in found.probes} == {kind} and found.axes == (axis,)
    assert len(found.probes) < len(every)
    names = [name for name in RECALL.family.axis(axis).names if name not in ("other", "unspecified", "error")]
    rivals = [RECALL.with_(**{axis: name}) for name in names]
    for one in rivals:
        for other in rivals:
            assert told_apart(one, other, found.probes) == told_apart(one, other, every), (one, other)


def test_what_an_answer_excludes_is_not_asked_about() -> None:
    ties = [probe for probe in PROBES if probe.kind == Kind("order")]
    all_asked, fewer = chosen("ties").probes, chosen("ties", answered=ties[:1]).probes
    assert 0 < len(fewer) <= len(all_asked)
    assert chosen("ties", answered=all_asked).probes == ()


def test_who_is_averaged_is_asked_with_few_cases_that_tell_all_values_apart() -> None:
    found, every = chosen("users"), [probe for probe in PROBES if probe.kind == Kind("multi_user")]
    assert {probe.kind for probe in found.probes} == {Kind("multi_user")}
    assert len(found.probes) < len(every)
    others = [RECALL.with_(users=value) for value in RECALL.family.axis("users").names if value != "truth"]
    told = [told_apart(RECALL, each, found.probes) for each in others]
    assert told == [told_apart(RECALL, each, every) for each in others]
    assert any(told)


def test_what_comes_out_where_nobody_is_left_is_asked_with_cases_that_leave_nobody() -> None:
    found = chosen("nobody")
    assert set(found.probes) == set(DEGENERATE) and found.axes == ("nobody",)


def test_definitions_that_fit_as_well_are_told_apart() -> None:
    found = chosen(equivalent=("recall@k|denominator:min",))
    assert len(found.probes) == 1 and found.axes == ()
    assert told_apart(RECALL, parse("recall@k|denominator:min"), found.probes)


def test_nothing_is_asked_where_nothing_is_open_or_nothing_was_found() -> None:
    assert chosen().probes == ()
    made = finding(metric="recall", signature=None, verdict="unexplained")
    assert further_cases(Summary(made, (), {}), Observation("answers", {}, {}), PROBES) is None


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    "signature",
    [
        "recall@k|users:both|duplicates:first_in_place",
        "recall@k|denominator:min|users:all|undefined:0|ties:worst|relevance:positive",
    ],
)
def test_answering_what_is_named_settles_all(tmp_path: Path, signature: str) -> None:
    wanted, plain = parse(signature), [probe for probe in PROBES if probe.kind == Kind("single_user")]
    first = answers(tmp_path, wanted, plain)
    assert first.further is not None and len(first.further.probes) <= 30
    said = answers_text(first)
    assert "to settle" in said and all(case_id(probe) in said for probe in first.further.probes)
    then = answers(tmp_path, wanted, [*plain, *first.further.probes])
    assert (then.summary.signature, then.summary.finding.unknown) == (signature, ())
    assert then.further is not None and then.further.probes == () and "to settle" not in answers_text(then)


def answers(folder: Path, definition: Definition, probes: Sequence[Probe]) -> AnswersResult:
    lines = [f"{case_id(probe)},{value(definition, probe)!r}" for probe in probes]
    (folder / "a.csv").write_text("case,value\n" + "\n".join(lines) + "\n")
    return identify_answers(folder / "a.csv", "recall", None)
