"""A documented variant: what one entry of the catalogue holds."""

from __future__ import annotations

from dataclasses import dataclass

from reference.catalogue.bibliography import Citation
from reference.definitions.definition import Definition, parse


@dataclass(frozen=True)
class Variant:
    """A documented definition: its signature, the names it goes by (the usual one first), one sentence on when it
    differs from the canonical one (empty for that one), and who states it.

    A variant without a citation is in use, but no text that we know states it: it counts as undocumented.
    """

    signature: str
    names: tuple[str, ...]
    differs: str
    citations: tuple[Citation, ...]

    @property
    def name(self) -> str:
        """The name it usually goes by."""
        return self.names[0]

    @property
    def definition(self) -> Definition:
        """The definition that the signature stands for."""
        return parse(self.signature)

    @property
    def source(self) -> str:
        """Its citations in one line."""
        return "; ".join(map(str, self.citations)) or "in use; no text that we know states it"
