"""The judgement of each identification: the definitions found, compared with the seeded fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from bench.diagnosis.random_comparison import CASES, differing_cases
from bench.diagnosis.seeded import GROUPS, Fault
from recsys_metric_audit.audit.observations import probe_tables
from recsys_metric_audit.audit.observations.evidence import contradictions, gather_evidence
from recsys_metric_audit.audit.observations.fit import Contradicted, Fit
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.reference.cases import Kind
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.shortest import shortest
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

Outcome = Literal[
    "exact", "equivalent", "alike", "ambiguous", "wrong", "missed", "abstained", "blamed", "withheld", "published"
]
DESCRIPTIONS: dict[Outcome, str] = {
    "exact": "identified exactly",
    "equivalent": "identified, in other words",
    "alike": f"identified up to what {CASES} random cases do not tell apart",
    "ambiguous": "ambiguous, the seeded one among them",
    "wrong": "wrongly blamed",
    "missed": "inside, but unexplained",
    "abstained": "outside, correctly unexplained",
    "blamed": "outside or held out, wrongly blamed",
    "withheld": "refuted on held-out inputs, or never claimed",
    "published": "not refuted on held-out inputs",
}
MAX_SHOWN, MAX_COMPARED = 6, 40
"""Of the definitions beside the seeded one, so many are printed, and so many are compared on random cases."""
RIGHT: tuple[Outcome, ...] = ("exact", "equivalent", "alike", "abstained", "withheld")
_KINDS = (
    Kind("single_user"), Kind("order"), Kind("duplicates"), Kind("truth_duplicates"), Kind("relevance"), Kind("seen"),
    Kind("multi_user"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Judged:
    """One fault and what was found of it.

    Attributes:
        fault: The seeded fault.
        fit: What was found.
        outcome: Whether that is right.
        agreement: Share of the probes on which the fault's definition gives the number that was answered.
        from_few: Whether few questions found a known definition, or one near it.
    """

    fault: Fault
    fit: Fit
    outcome: Outcome
    agreement: float
    from_few: bool


def judge(
    fault: Fault, observation: Observation, fit: Fit, refuted: Collection[str] = (), *, from_few: bool = False
) -> Judged:
    """Judge the fit of a fault; ``refuted`` are the axes that held-out inputs refuted."""
    return Judged(fault, fit, _outcome(fault, fit, refuted), agreement(fault.definition, observation, fit), from_few)


def _outcome(fault: Fault, fit: Fit, refuted: Collection[str]) -> Outcome:
    found = [shortest(definition) for definition in fit.definitions]
    # Values without a rule say that no value of the axis describes the answers.
    named = [each for each in found if not WITHOUT_RULE & {*each.axes.values()}]
    if fault.group == "outside":
        return "blamed" if named else "abstained"
    if fault.group == "held_out" and not refuted:
        return "published" if named else "withheld"
    if fault.group == "held_out":
        return "withheld" if set(refuted) == {fault.axis} else "blamed"
    right = shortest(fault.definition)
    if not found:
        return "missed"
    others = [each for each in found if each != right]
    if others and all(_never_differ(right, each) for each in others):
        return "alike" if len(found) == 1 else "ambiguous"
    if right not in found:
        return "wrong" if not any(_never_differ(right, each) for each in others) else "ambiguous"
    if others:
        return "ambiguous"
    return "exact" if right == fault.definition else "equivalent"


def agreement(definition: Definition, observation: Observation, fit: Fit) -> float:
    """Return the share of the initial probes, small lists excluded, whose answer a definition does not contradict."""
    same = asked = 0
    for kind in _KINDS:
        evidence = gather_evidence(observation.probes, probe_tables.probes(kind), probe_tables.problem(kind))
        wrong = contradictions(definition, evidence, fit.tolerance)
        same += int((evidence.measured & ~wrong).sum())
        asked += len(evidence.probes)
    return same / asked


def _never_differ(one: Definition, other: Definition) -> bool:
    return one.metric == other.metric and "other" not in other.axes.values() and differing_cases(one, other) == 0


def totals(judged: Sequence[Judged]) -> list[str]:
    """Return the table of outcomes: a line for each group of faults."""
    lines = []
    for group in GROUPS:
        own = [each for each in judged if each.fault.group == group]
        counts = Counter(each.outcome for each in own)
        good = sum(counts[outcome] for outcome in RIGHT)
        told = "; ".join(f"{counts[outcome]} {text}" for outcome, text in DESCRIPTIONS.items() if counts[outcome])
        tested = sum(each.from_few for each in own)
        told += f"; {tested} by few questions" if tested else ""
        lines.append(f"{group:<11} {good:>5} of {len(own):>5} ({good / max(len(own), 1):7.2%})   {told}")
    return lines


def failure(each: Judged) -> str:
    """Return what went wrong, in lines: the fault, then what was found in its place or beside it."""
    right, found = shortest(each.fault.definition), each.fit.definitions
    told = ["the seeded one"] if right in found else []
    others = [other for other in found if other != right][:MAX_COMPARED]
    distances = {other: _distance(right, other) for other in others}
    told += [f"{other}   (another on {n} of {CASES} random cases)" for other, n in distances.items() if n][:MAX_SHOWN]
    equal = [str(other) for other, n in distances.items() if n == 0]
    told += [f"{len(equal)} equal on all random cases: {' = '.join(equal[:MAX_SHOWN])}"] if equal else []
    told += [f"{len(found)} in all"] if len(found) > MAX_SHOWN else []
    lines = told if found else [_nothing(each.fit) if isinstance(each.fit, Contradicted) else "nothing"]
    head = f"{each.outcome:<10} {each.fault.group:<10} {each.fault.description}"
    return "\n".join([head, *(f"{'':<11}→ {line}" for line in lines)])


def _nothing(fit: Contradicted) -> str:
    failing = f" at {fit.counterexample.name}" if fit.counterexample else ""
    near = f", nearest {fit.nearest.signature()}" if fit.nearest else ""
    return f"nothing: {fit.stage}{near}{failing}"


def _distance(right: Definition, found: Definition) -> int:
    """Return the number of random cases on which two definitions differ; all if they cannot be compared."""
    if right.metric != found.metric or "other" in found.axes.values():
        return CASES
    return differing_cases(right, found)


def confusions(judged: Sequence[Judged]) -> list[str]:
    """Return the axes that were confused, most often first.

    They are the axes on which the seeded fault differs from the nearest other definition that fits.
    """
    counts: Counter[tuple[str, bool]] = Counter()
    example: dict[tuple[str, bool], str] = {}
    for each in judged:
        right = shortest(each.fault.definition)
        others = [found for found in each.fit.definitions if found != right and found.metric == right.metric]
        least = min((len(_moved(right, other)) for other in others), default=0)
        nearest = {tuple(moved): other for other in others if len(moved := _moved(right, other)) == least}
        for names, other in nearest.items():
            key = (f"{right.metric}: {' and '.join(names)}", _distance(right, other) == 0)
            counts[key] += 1
            example.setdefault(key, f"{right} and {other}")
    told = {True: "alike on all", False: "not told apart"}
    return [f"{n:>4} {told[key[1]]:<16} {key[0]:<55} {example[key]}" for key, n in counts.most_common()]


def _moved(one: Definition, other: Definition) -> list[str]:
    return [axis for axis, value in one.values if other.axes[axis] != value]


def unlike_its_base(judged: Sequence[Judged]) -> list[Judged]:
    """Return the faults that prove nothing, since they are too easy to see.

    Those outside agree with their definition on less than half of the probes, those that only held-out inputs show
    on less than nine in ten.
    """
    least = {"outside": 0.5, "held_out": 0.9}
    return [each for each in judged if each.agreement < least.get(each.fault.group, 0.0)]
