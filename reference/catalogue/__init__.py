"""The catalogue: definitions that a source states, with their usual names and citations.

May import ``reference.definitions`` and the packages below it (metrics, placement, input, space).
"""

from __future__ import annotations

from recsys_metric_audit.reference.catalogue.lookup import (
    CATALOGUE,
    documents_formula,
    find_variant,
    names_of,
    variants_of,
)
from recsys_metric_audit.reference.catalogue.variants import Variant

__all__ = ["CATALOGUE", "Variant", "documents_formula", "find_variant", "names_of", "variants_of"]
