"""The definition that a function is held against, and how another one differs from it.

Signatures are always written relative to the built-in canonical definition, so that they mean the same in every
report. An override (``audit run --canonical``) changes what is compared: verdicts, axes and classes of the difference,
witnesses, decompositions and the reference rows.
"""

from __future__ import annotations

from audit.libraries.function import Function
from reference.definitions.definition import Definition


def canonical(function: Function, k: int | None = None) -> Definition:
    """The canonical definition of the metric whose name a function bears, on whole lists where it takes no k."""
    definition = function.held_against or Definition.of(function.metric)
    if definition.k is None:
        return definition
    if not function.cutoff:
        return definition.with_(cutoff="none")
    return definition if k is None else definition.with_(k=k)


def differing(definition: Definition, function: Function) -> tuple[str, ...]:
    """The axes on which a definition is not the one that ``function`` is held against, in signature order; the
    built-in canonical one where it is of another metric."""
    override = function.held_against
    if override is None or override.metric != definition.metric:
        return definition.differs_on
    right = override.simplified().axes
    return tuple(name for name, value in definition.simplified().values if value != right[name])


def classes(definition: Definition, function: Function) -> tuple[str, ...]:
    """Slugs of the classes of mismatch on those axes, without repeats; a canonical value that stands where an override
    asks for another one is ``canonical-overridden``."""
    other = ("name-is-not-the-metric",) if definition.metric != function.metric else ()
    slugs = (definition.family.axis(name).value(definition.axes[name]).slug for name in differing(definition, function))
    return tuple(dict.fromkeys((*other, *(slug or "canonical-overridden" for slug in slugs))))
