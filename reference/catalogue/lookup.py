"""Look up documented variants: by metric, by definition, and whether a source states a definition."""

from __future__ import annotations

from reference.catalogue.areas_variants import AREAS
from reference.catalogue.rank_variants import RANKS
from reference.catalogue.set_variants import SETS
from reference.catalogue.variant import Variant
from reference.definitions.definition import Definition

CATALOGUE: tuple[Variant, ...] = (*SETS, *RANKS, *AREAS)
"""Every documented variant; those of one metric stand together, the canonical one first."""

# Of variants that are provably equal, the first one in the catalogue gives the name: a later entry of the
# reversed catalogue overwrites an earlier one.
_BY_NORMAL_FORM = {entry.definition.simplified().with_(k="k"): entry for entry in reversed(CATALOGUE)}
_CITED = frozenset(variant.definition.simplified().with_(k="k") for variant in CATALOGUE if variant.citations)


def variants_of(metric: str) -> tuple[Variant, ...]:
    """Return the documented variants of one metric, the canonical one first; empty for an unknown metric."""
    return tuple(entry for entry in CATALOGUE if entry.definition.metric == metric)


def find_variant(definition: Definition) -> Variant | None:
    """Return the entry of ``definition`` or of a provably equal one, at any cut-off; None if there is none."""
    return _BY_NORMAL_FORM.get(definition.simplified().with_(k="k"))


def names_of(definition: Definition) -> tuple[str, ...]:
    """Return the names that a definition goes by, the usual one first; empty if the catalogue lacks it."""
    found = find_variant(definition)
    return found.names if found is not None else ()


def is_documented(definition: Definition) -> bool:
    """Return True if a source states the definition.

    Two conditions must hold. Its formula and the way it combines users are canonical or those of a cited entry of
    the catalogue. Every other value that is not canonical (which users, edges, order, input) names a source itself.
    """
    canonical = definition.family.canonical
    parts = ("formula", "averaging")
    point = {axis.name for axis in definition.family.all_axes if axis.part in parts and axis.name != "users"}
    rest = {name: canonical[name] for name in definition.axes if name not in point}
    core = definition.with_(**rest).simplified().with_(k="k")
    cited = all(
        definition.family.axis(name).value(definition.axes[name]).source is not None
        for name in definition.differs_on
        if name not in point
    )
    return cited and (core in _CITED or not core.differs_on)
