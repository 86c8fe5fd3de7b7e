"""The canonical definition that a function is compared with, and how another definition differs from it.

Signatures are always written relative to the built-in canonical definition, so that they mean the same in every
report. An override (``audit run --canonical``) changes what is compared: verdicts, axes and classes of the difference,
witnesses, decompositions and the reference rows.
"""

from __future__ import annotations

from audit.libraries.function import Function
from reference.definitions.definition import Definition


def canonical_definition(function: Function, k: int | None = None) -> Definition:
    """Return the definition that a function is compared with, at cut-off ``k`` if one is given.

    It is the override, or else the built-in canonical definition of the metric that the function is named after; for
    a function without cut-off it reads whole lists.
    """
    definition = function.held_against or Definition.of(function.metric)
    if definition.k is None:
        return definition
    if not function.cutoff:
        return definition.with_(cutoff="none")
    return definition if k is None else definition.with_(k=k)


def with_fixed_values(canonical: Definition, function: Function, fitted: Definition | None) -> Definition:
    """Return ``canonical`` with the values of the axes that the contract of a function, or its adapter, fixes.

    Where the contract names no value, the axis has the value of ``fitted``, the definition that fits the answers.
    """
    found = {} if fitted is None else {axis: fitted.axes.get(axis) for axis in function.ruled_out}
    values = {**found, **function.takes.fixed_values}
    known = {axis: value for axis, value in values.items() if value is not None and axis in canonical.axes}
    fixed = canonical.with_(**known)
    return fixed if canonical.family.refusal(fixed.axes) is None else canonical


def differing_axes(definition: Definition, function: Function) -> tuple[str, ...]:
    """Return the axes on which a definition differs from the one that ``function`` is compared with.

    They come in the order of the signature. If the override is of another metric than the definition, the built-in
    canonical definition of the definition's metric takes its place.
    """
    override = function.held_against
    if override is None or override.metric != definition.metric:
        return definition.differs_on
    right = override.simplified().axes
    return tuple(name for name, value in definition.simplified().values if value != right[name])


def difference_classes(definition: Definition, function: Function) -> tuple[str, ...]:
    """Return the slugs of the classes of mismatch on the differing axes, without repeats.

    A canonical value has no slug of its own: where an override asks for another value, it is
    ``canonical-overridden``.
    """
    other = ("name-is-not-the-metric",) if definition.metric != function.metric else ()
    moved = differing_axes(definition, function)
    slugs = (definition.family.axis(name).value(definition.axes[name]).slug for name in moved)
    return tuple(dict.fromkeys((*other, *(slug or "canonical-overridden" for slug in slugs))))
