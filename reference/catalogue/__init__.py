"""The documented variants: definitions that a source states, with the names they go by."""

from __future__ import annotations

from reference.catalogue.areas_variants import AREAS
from reference.catalogue.rank_variants import RANKS
from reference.catalogue.set_variants import SETS
from reference.catalogue.variant import Variant
from reference.definitions.definition import Definition

__all__ = ["CATALOGUE", "Variant", "documents", "names", "of_metric", "variant"]

CATALOGUE: tuple[Variant, ...] = (*SETS, *RANKS, *AREAS)

# Of variants that are provably equal, the first one has the name.
_POINTS = {entry.definition.simplified().with_(k="k"): entry for entry in reversed(CATALOGUE)}
_DOCUMENTED = frozenset(variant.definition.simplified().with_(k="k") for variant in CATALOGUE if variant.citations)


def of_metric(metric: str) -> tuple[Variant, ...]:
    """The variants of one metric, the canonical one first."""
    return tuple(entry for entry in CATALOGUE if entry.definition.metric == metric)


def variant(definition: Definition) -> Variant | None:
    """The entry of a definition, or of one that is provably equal; None where the catalogue does not hold it."""
    return _POINTS.get(definition.simplified().with_(k="k"))


def names(definition: Definition) -> tuple[str, ...]:
    """The names that a definition goes by; empty where the catalogue does not hold it."""
    found = variant(definition)
    return found.names if found is not None else ()


def documents(definition: Definition) -> bool:
    """Whether a source states the definition: its formula and pooling stand in the catalogue (or are canonical),
    and each choice of users, edge or order value off its canonical place has a source of its own."""
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
    return cited and (core in _DOCUMENTED or not core.differs_on)
