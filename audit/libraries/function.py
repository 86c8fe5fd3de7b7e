"""What ``[[function]]`` of a ``library.toml`` says: a function, the versions that have it, what they claim of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Self

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StringConstraints, model_validator

from audit.libraries.contract import Made, Takes, ruled_out

if TYPE_CHECKING:
    from reference.definitions.definition import Definition

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Part(BaseModel):
    """A table of ``library.toml``: nothing in it changes, and a key that it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class _Claiming(Part):
    claims: Text | None = None
    claims_source: Text | None = None

    @model_validator(mode="after")
    def _has_source(self) -> Self:
        if (self.claims is None) != (self.claims_source is None):
            raise ValueError("claims and claims_source go together")
        return self


class Claim(_Claiming):
    """What the documentation of some versions says of a function; no ``claims``: nothing that defines it.

    Each of ``versions`` is the name of one, or a range of them (``>=0.4,<0.5``, as in PEP 440).
    """

    versions: Annotated[tuple[Text, ...], Field(min_length=1)]


class Function(_Claiming):
    """One function that users reach: its dotted path plus the options that are not at their default.

    ``metric`` is the metric whose name it bears, in our words; ``cutoff`` is false where it takes no k;
    ``claims`` is what its documentation says, as a signature, and ``claims_source`` where it says so; each of
    ``exceptions`` (``[[function.claim]]``) says what it is for some versions in its place. ``versions`` are those
    that are called this way, where not all are; each is a name or a range, as in :class:`Claim`. ``built`` is the
    command that compiles it, for one that the user of a checkout has to compile. ``takes`` is its contract, and
    ``called_with`` are the things that the adapter makes of the data for it (:mod:`audit.libraries.contract`).
    """

    name: Text
    metric: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    cutoff: bool = True
    versions: tuple[Text, ...] = ()
    built: Text | None = None
    takes: Takes = Takes()
    called_with: tuple[Made, ...] = ()
    exceptions: Annotated[tuple[Claim, ...], Field(alias="claim", default=())]
    _canonical: Definition | None = PrivateAttr(default=None)

    @property
    def held_against(self) -> Definition | None:
        """The definition that a user put in the canonical one's place, None where the canonical one stands."""
        return self._canonical

    def against(self, definition: Definition | None) -> Self:
        """The function, held against ``definition`` in place of the canonical one; it is never in a ``library.toml``:
        who runs the audit chooses it, not the library."""
        other = self.model_copy()
        other._canonical = definition
        return other

    @property
    def ruled_out(self) -> dict[str, str]:
        """The axes that do not apply to it, because of its contract or of the adapter, each with the reason."""
        return ruled_out(self.takes, self.called_with)

    def of(self, version: str) -> Self | None:
        """The function with what is claimed of it in ``version``; ``None`` where that has no such function."""
        if self.versions and not covers(self.versions, version):
            return None
        for claim in self.exceptions:
            if covers(claim.versions, version):
                return self.model_copy(update={"claims": claim.claims, "claims_source": claim.claims_source})
        return self


def covers(versions: Sequence[str], version: str) -> bool:
    """Whether ``version`` is one of these names, or in one of these ranges; a commit is in no range."""
    for each in versions:
        try:
            if each == version or SpecifierSet(each, prereleases=True).contains(version):
                return True
        except (InvalidSpecifier, InvalidVersion):
            continue
    return False
