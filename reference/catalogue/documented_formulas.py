"""Tells whether a source of the catalogue documents a formula, whoever counts and however input is handled."""

from __future__ import annotations

from functools import cache

from reference.catalogue import CATALOGUE
from reference.definitions.definition import Definition
from reference.definitions.projection import formula_of


def documents_formula(definition: Definition) -> bool:
    """Return True if a cited entry of the catalogue has the formula of ``definition``, or that is canonical."""
    formula = formula_of(definition)
    return not formula.differs_on or formula.with_(k="k") in _cited()


@cache
def _cited() -> frozenset[Definition]:
    return frozenset(formula_of(entry.definition).with_(k="k") for entry in CATALOGUE if entry.citations)
