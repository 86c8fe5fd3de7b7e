"""Look up documented variants: by metric, by definition, and whether a source states a formula."""

from __future__ import annotations

from functools import cache

from recsys_metric_audit.reference.catalogue.variants import AREAS, RANKS, SETS, SHOWN_ITEMS, Variant
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.equality.observed import Key, are_equal
from recsys_metric_audit.reference.equality.projection import formula_of

CATALOGUE: tuple[Variant, ...] = (*SETS, *RANKS, *AREAS, *SHOWN_ITEMS)
"""Lists every documented variant; variants of one metric stand together, the canonical one first."""


def variants_of(metric: str) -> tuple[Variant, ...]:
    """Return the documented variants of one metric, the canonical one first; empty for an unknown metric."""
    return tuple(entry for entry in CATALOGUE if entry.definition.metric == metric)


def find_variant(definition: Definition) -> Variant | None:
    """Return the first entry whose definition is equal to ``definition``, at any cut-off; None if there is none."""
    return next((entry for entry in variants_of(definition.metric) if are_equal(entry.definition, definition)), None)


def names_of(definition: Definition) -> tuple[str, ...]:
    """Return the names that a definition goes by, the usual one first; empty if the catalogue lacks it."""
    found = find_variant(definition)
    return found.names if found is not None else ()


def documents_formula(definition: Definition) -> bool:
    """Return True if a cited entry of the catalogue has the formula of ``definition``, or that is canonical.

    Who counts and how input is handled may be otherwise.
    """
    formula = formula_of(definition)
    return not formula.differs_on or Key(formula) in _cited_formulas(definition.metric)


@cache
def _cited_formulas(metric: str) -> frozenset[Key]:
    return frozenset(Key(formula_of(entry.definition)) for entry in variants_of(metric) if entry.citations)
