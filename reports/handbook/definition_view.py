"""What ``audit explain`` says, as plain values: a definition with its formula, axes, sources, example and equals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from reference import Definition, Worked, work
from reference import formula_text as telling
from reference.cases import PROBES
from reference.catalogue import CATALOGUE, documents, names
from reference.catalogue import variant as found_variant
from reference.evaluation.evaluate import Problem, evaluate
from reference.input.case import Case, Predictions, Truth
from reports.handbook.handbook import Choice, Reference, reference

ITEMS = ("ale", "bun", "cod", "dal", "egg", "fig")
EXAMPLE = Case(
    "example",
    Predictions(np.ones(5, np.int64), np.arange(5), np.array([5.0, 4.0, 3.0, 2.0, 1.0])),
    Truth(np.ones(4, np.int64), np.array([0, 2, 4, 5]), np.array([1.0, 3.0, 2.0, 2.0])),
    catalogue=np.arange(8),
)
"""One user. Five items are shown; the first, third and fifth are relevant, and one that is not shown is too."""
EXAMPLE_TEXT = "One user is shown ale, bun, cod, dal, egg; relevant are ale (gain 1), cod (3), egg (2) and fig (2)."
_CUT = 3
_CLOSE = 1e-9


@dataclass(frozen=True)
class Moved:
    """One axis that does not stand at its canonical value."""

    axis: str
    about: str
    value: Choice
    canonical: str


@dataclass(frozen=True)
class Explained:
    """A definition. ``example_k`` is the cut-off of the worked example, None where none acts."""

    signature: str
    long: str
    title: str
    names: tuple[str, ...]
    measures: str
    status: str
    why: str
    formula: tuple[str, ...]
    averaging: str
    moved: tuple[Moved, ...]
    differs: str
    references: tuple[Reference, ...]
    example_k: int | None
    worked: Worked
    simpler: str
    idle: tuple[str, ...]
    equals: tuple[str, ...]


def explained(definition: Definition) -> Explained:
    """Return all there is to say about one definition."""
    simple, metric = definition.simplified(), definition.family
    found = found_variant(definition)
    cut = definition.k if isinstance(definition.k, int) and definition.k <= len(ITEMS) - 1 else _CUT
    example = definition if definition.k is None else definition.with_(k=cut)
    written = simple.signature()
    return Explained(
        signature=definition.signature(),
        long=definition.signature(long=True),
        title=metric.title,
        names=names(definition),
        measures=telling.formula(definition).measures,
        status=_status(definition),
        why=metric.why_canonical,
        formula=tuple(line.text for line in telling.told(definition)),
        averaging="; ".join(line.text for line in telling.averaging(definition)),
        moved=tuple(_moved(definition, name) for name in definition.differs_on),
        differs=found.differs if found is not None else "",
        references=tuple(map(reference, found.citations)) if found is not None else (),
        example_k=None if example.k is None else cut,
        worked=work(example, EXAMPLE, label=ITEMS.__getitem__),
        simpler=written if written != definition.signature() else "",
        idle=_idle(simple),
        equals=_equals(simple),
    )


def _status(definition: Definition) -> str:
    if not definition.simplified().differs_on:
        return "canonical"
    return "documented" if documents(definition) else "documented nowhere that we know"


def _moved(definition: Definition, name: str) -> Moved:
    axis, canonical = definition.family.axis(name), definition.family.canonical[name]
    value = axis.value(definition.axes[name])
    choice = Choice(value.name, value.meaning, False, value.slug or "", value.source or "")
    return Moved(name, axis.meaning, choice, canonical)


def _idle(simple: Definition) -> tuple[str, ...]:
    """Axis values off the canonical point that would change nothing here, by proof."""
    metric, out = simple.family, []
    for axis in metric.all_axes:
        for value in axis.names:
            if value == simple.axes[axis.name] or metric.refuse({**simple.axes, axis.name: value}):
                continue
            if simple.with_(**{axis.name: value}).simplified() == simple:
                out.append(f"{axis.name}:{value}")
    return tuple(out)


def _equals(simple: Definition) -> tuple[str, ...]:
    """Documented definitions of other metrics, or with other signatures, that agree with it on every probe."""
    if simple.k is not None and not isinstance(simple.k, str):
        simple = simple.with_(k="k")
    own = _on_probes(simple)
    same = (variant.definition.simplified() for variant in CATALOGUE)
    return tuple(
        dict.fromkeys(
            other.signature()
            for other in same
            if other != simple and np.allclose(_on_probes(other), own, rtol=_CLOSE, atol=_CLOSE, equal_nan=True)
        )
    )


@cache
def _probes() -> Problem:
    return Problem.of([probe.case for probe in PROBES], [probe.k for probe in PROBES])


@cache
def _on_probes(definition: Definition) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    made = evaluate(definition, _probes())
    return np.where(made.refused, np.inf, made.mean)
