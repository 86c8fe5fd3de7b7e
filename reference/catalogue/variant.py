"""The entry of the catalogue: a documented variant of a metric."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from recsys_metric_audit.reference.catalogue.bibliography import Citation
from recsys_metric_audit.reference.definitions.definition import Definition, parse


@dataclass(frozen=True)
class Variant:
    """Holds a definition with its names and the sources that state it.

    ``names`` begin with the usual one. ``differs`` says in one sentence when its value differs from the canonical
    definition's (empty for the canonical one). A variant without citations is in use, but no text that we know states
    it: it counts as undocumented. ``in_code`` names well-known programs that compute it without saying so.

    >>> from recsys_metric_audit import definitions
    >>> truncated = definitions("recall")[1]
    >>> truncated.name, truncated.signature
    ('recall that can reach 1', 'recall@k|denominator:min')
    >>> truncated.differs
    'Higher for users with more than k relevant items, who cannot all be shown.'
    """

    signature: str
    names: tuple[str, ...]
    differs: str
    citations: tuple[Citation, ...]
    in_code: tuple[Citation, ...] = ()

    @property
    def name(self) -> str:
        """The usual name."""
        return self.names[0]

    @cached_property
    def definition(self) -> Definition:
        """The definition that the signature stands for."""
        return parse(self.signature)

    @property
    def source(self) -> str:
        """All citations in one line."""
        used = f"in the code of {'; '.join(map(str, self.in_code))}" if self.in_code else "in use"
        return "; ".join(map(str, self.citations)) or f"{used}; no text that we know states it"
