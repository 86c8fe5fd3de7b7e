"""The canonical definition that a function is compared with, and how another definition differs from it.

Signatures are always written relative to the built-in canonical definition, so that they mean the same in every
report. An override (``audit run --canonical``) changes what is compared: verdicts, axes and classes of the difference,
witnesses, decompositions and the reference rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

GIVEN_BY_INPUT: Mapping[str, frozenset[str]] = {
    "relevance": frozenset({"every_row", "positive", "at_least_t"}),
    "truth": frozenset({"all", "listed"}),
    "candidates": frozenset({"all", "without_train"}),
    "negatives": frozenset({"exact", "with_train"}),
    "users": frozenset({"truth", "both", "predictions", "all"}),
}
"""The values of some axes that the form of an input can bring about, by what it holds; others are a library's own."""
_WITHOUT_ROWS = ("matrix", "labels")
"""The forms of input that hold no order of rows: their scores alone order the items."""


def canonical_definition(function: Function, k: int | None = None) -> Definition:
    """Return the definition that a function is compared with, at cut-off ``k`` if one is given.

    It is the override, or else the built-in canonical definition of the metric that the function is named after; for
    a function without cut-off it reads whole lists.
    """
    definition = function.held_against or Definition.of(function.metric)
    if definition.k is None or not function.cutoff:
        return _uncut(definition, function)
    return definition if k is None else definition.with_(k=k)


def definitions_under_contract(
    definition: Definition, function: Function, fitted: Definition | None = None
) -> tuple[Definition, ...]:
    """Return ``definition`` with other values of the axes that the contract of a function, or its adapter, decides.

    A signature is silent of what they decide, and its evaluation puts the canonical rule there. An input on which one
    of these definitions has another value than ``definition`` shows the doing of the contract or of the adapter.

    Args:
        definition: The definition to vary.
        function: The function, with its contract and what its adapter makes of the data.
        fitted: The definition that fits the answers, if any: one of the definitions has its values of all these axes.
    """
    family = definition.family
    varied = (
        definition.with_(**{axis: name})
        for axis in sorted(function.ruled_out.keys() & definition.axes.keys())
        for name in sorted(_possible_values(axis, definition, function) - {definition.axes[axis], *WITHOUT_RULE})
    )
    made = (each for each in (*_with_fixed_values(definition, function, fitted), *varied) if each != definition)
    return tuple(dict.fromkeys(each for each in made if not family.refusal(each.axes)))


def _possible_values(axis: str, definition: Definition, function: Function) -> frozenset[str]:
    if axis == "order" and function.takes.input in _WITHOUT_ROWS:
        return frozenset()
    own = frozenset(definition.family.axis(axis).names)
    return GIVEN_BY_INPUT.get(axis, own) & own


def _with_fixed_values(definition: Definition, function: Function, fitted: Definition | None) -> Iterator[Definition]:
    """Yield the definition with all values that the contract names, and those of ``fitted`` where it names none."""
    found = {} if fitted is None else {axis: fitted.axes.get(axis) for axis in function.ruled_out}
    values = {**found, **function.takes.fixed_values}
    known = {axis: value for axis, value in values.items() if value is not None and axis in definition.axes}
    if known:
        yield definition.with_(**known)


def differing_axes(definition: Definition, function: Function) -> tuple[str, ...]:
    """Return the axes on which a definition differs from the one that ``function`` is compared with.

    They come in the order of the signature. If the override is of another metric than the definition, the built-in
    canonical definition of the definition's metric takes its place. That a function without cut-off reads whole lists
    is no difference.
    """
    override = function.held_against
    if override is None or override.metric != definition.metric:
        override = Definition.of(definition.metric)
    if function.cutoff and override == Definition.of(definition.metric):
        return definition.differs_on
    right = _uncut(override, function).axes
    return tuple(name for name, value in definition.values if value != right[name])


def _uncut(definition: Definition, function: Function) -> Definition:
    """Return a definition that reads whole lists, if it has a cut-off and the function takes none."""
    return definition if function.cutoff or definition.k is None else definition.with_(cutoff="none")


def canonical_on(definition: Definition, axes: Iterable[str]) -> Definition:
    """Return the definition with ``axes``, those that it has, at their canonical values."""
    canonical = definition.family.canonical
    return definition.with_(**{axis: canonical[axis] for axis in axes if axis in canonical})


def difference_classes(definition: Definition, function: Function) -> tuple[str, ...]:
    """Return the slugs of the classes of mismatch on the differing axes, without repeats.

    A canonical value has no slug of its own: where an override asks for another value, it is
    ``canonical-overridden``.
    """
    other = ("name-is-not-the-metric",) if definition.metric != function.metric else ()
    moved = differing_axes(definition, function)
    slugs = (definition.family.axis(name).value(definition.axes[name]).slug for name in moved)
    return tuple(dict.fromkeys((*other, *(slug or "canonical-overridden" for slug in slugs))))
