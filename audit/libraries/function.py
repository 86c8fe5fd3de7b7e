"""A function of a library: its name, versions and claims, and its contract.

The contract says what the function takes, and so which axes its answers cannot show: a function that takes a ranked
list has no rule for ties, and one that takes a score for every item cannot be given an item twice. Such axes are not
questions about the library: a finding says that they do not apply, and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, Self

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, StringConstraints, model_validator

if TYPE_CHECKING:
    from recsys_metric_audit.reference.definitions.definition import Definition


Input = Literal["scores", "ranked", "ranks", "matrix", "labels", "pairs"]
Truth = Literal["graded", "list", "set"]
Gains = Literal["any", "whole"]
Data = Literal[
    "a catalogue of one item",
    "k above the items", "k above the candidates of a user", "k and a user's truth above the items",
    "equal scores of a user", "scores equal in single precision", "scores equal after a sigmoid",
    "one ranked pair", "one rated pair with a score",
    "one kind of label", "one kind of label among the rated pairs",
    "negative gains", "fractional or negative gains", "a user whose gains are all 0",
    "a user for whom every item is relevant", "a truth user without a list",
    "a list shorter than k", "lists of unequal length", "an unlisted item of the truth", "an unlisted relevant item",
    "an unlisted item of the truth and a list shorter than k", "no train data", "train items in lists",
    "hits in the first k rows and none in the first r", "no hit of any user", "any data",
]  # fmt: skip
"""Names a kind of data on which a function may do otherwise than its definition says."""


class Part(BaseModel):
    """A table of a ``library.toml``: immutable, and an unknown key in it is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Takes(Part):
    """Declares the form of recommendations and truth that a function takes, and the gains that it accepts."""

    input: Input = "scores"
    truth: Truth = "graded"
    gains: Gains = "any"

    def ruled_out(self) -> dict[str, str]:
        """Return the axes that no input of this form can show, each with the reason."""
        # Listing libraries reads contracts, and must not wait for numpy, which ``reference`` imports.
        from recsys_metric_audit.reference.space.contract_words import ruled_out_by

        return ruled_out_by(self.model_dump())

    @property
    def whole_gains_only(self) -> bool:
        """Tell whether fractional and negative gains are ruled out."""
        return self.gains == "whole"

    @property
    def fixed_values(self) -> dict[str, str]:
        """The values of axes that follow from the form alone: rows in a ranked list are ranked by their order."""
        return {"order": "rows"} if self.input in ("ranked", "ranks") else {}

    def in_words(self) -> str:
        """Return the contract as a phrase: ``a ranked list for each user ...; relevant items as a set ...``."""
        from recsys_metric_audit.reference.space.contract_words import MEANING

        words = [MEANING[self.input], MEANING[self.truth]]
        return "; ".join([*words, MEANING[self.gains]] if self.gains == "whole" else words)


class Made(Part):
    """One thing that the adapter makes of the data for the library, and the axes that this decides.

    Each of ``decides`` is an axis, with the value that the adapter gives it if the axis has such a value:
    ``relevance:at_least_t``.
    """

    what: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    decides: Annotated[tuple[str, ...], Field(default=())]

    @property
    def axes(self) -> tuple[str, ...]:
        """Return the axes that the adapter decides."""
        return tuple(each.partition(":")[0] for each in self.decides)

    @property
    def values(self) -> dict[str, str]:
        """Return the values that the adapter gives to axes, by axis."""
        return dict(each.split(":", 1) for each in self.decides if ":" in each)


QUOTED_WORDS = 25
"""A quotation of a library's documentation has at most so many words."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


def _pairs(given: object) -> object:
    """Return a table as pairs: a function is looked up by what it is, and a dictionary cannot be."""
    return tuple(given.items()) if isinstance(given, Mapping) else given


class _Claiming(Part):
    claims: Text | None = None
    says: Text | None = None
    where: Text | None = None

    @model_validator(mode="after")
    def _quotes_few_words(self) -> Self:
        if self.says is not None and len(self.says.split()) > QUOTED_WORDS:
            raise ValueError(f"says has more than {QUOTED_WORDS} words: quote the part that states the definition")
        return self


class Claim(_Claiming):
    """Holds the claim of some versions' documentation on a function; without ``claims`` it defines nothing.

    Each of ``versions`` is a version's name or a range of versions (``>=0.4,<0.5``, as in PEP 440).
    """

    versions: Annotated[tuple[Text, ...], Field(min_length=1)]


class Function(_Claiming):
    """One function that users reach: its dotted path plus the options that are not at their default.

    ``metric`` is the metric whose name it bears, in our words; ``cutoff`` is false for a function that takes no k.
    ``claims`` is what its documentation states, as a signature, ``says`` are the words that state it, and ``where`` is
    the place;
    ``exceptions`` are other claims of some versions. ``versions`` are the names or ranges of the versions that have the
    function; empty means all. ``built`` is the command that compiles it, if users must compile it. ``takes`` is its
    contract, and ``called_with`` are the things that the adapter makes of the data for it
    (:mod:`audit.libraries.function`). ``departs_on`` holds the kinds of data on which it does otherwise than its
    definition says, each with what it does there. ``documented_call`` is where the documentation asks for this call:
    of several calls of a function, reports show such a one first.
    """

    name: Text
    metric: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    cutoff: bool = True
    versions: tuple[Text, ...] = ()
    built: Text | None = None
    takes: Takes = Takes()
    called_with: tuple[Made, ...] = ()
    departs_on: Annotated[tuple[tuple[Data, Text], ...], BeforeValidator(_pairs)] = ()
    documented_call: Text | None = None
    exceptions: Annotated[tuple[Claim, ...], Field(alias="claim", default=())]
    _canonical: Definition | None = PrivateAttr(default=None)

    @property
    def held_against(self) -> Definition | None:
        """The definition that the user compares with in place of the canonical one, if any."""
        return self._canonical

    def against(self, definition: Definition | None) -> Self:
        """Return the function, to be compared with ``definition`` in place of the canonical one.

        The user of the audit chooses this definition; no ``library.toml`` can name it.
        """
        other = self.model_copy()
        other._canonical = definition
        return other

    @property
    def ruled_out(self) -> dict[str, str]:
        """The axes that do not apply to it, because of its contract or of the adapter, each with the reason."""
        made = {axis: f"the adapter's doing: {each.what}" for each in self.called_with for axis in each.axes}
        return self.takes.ruled_out() | made

    @property
    def unusual_data(self) -> dict[Data, str]:
        """Return the kinds of data on which it does otherwise than its definition, or that it refuses, with why."""
        refused: dict[Data, str] = {"fractional or negative gains": "it takes whole grades from 0 up"}
        return {**dict(self.departs_on), **(refused if self.takes.whole_gains_only else {})}

    @property
    def decided(self) -> dict[str, str]:
        """Return the values of axes that its contract or the adapter decides, where they are declared."""
        made = {axis: value for each in self.called_with for axis, value in each.values.items()}
        return self.takes.fixed_values | made

    def of(self, version: str) -> Self | None:
        """Return the function with the claims of ``version``, or ``None`` if that version does not have it."""
        if self.versions and not covers(self.versions, version):
            return None
        for claim in self.exceptions:
            if covers(claim.versions, version):
                return self.model_copy(update={"claims": claim.claims, "says": claim.says, "where": claim.where})
        return self


def covers(versions: Sequence[str], version: str) -> bool:
    """Return True if ``version`` is one of these names or in one of these ranges; a commit is in no range."""
    for each in versions:
        try:
            if each == version or SpecifierSet(each, prereleases=True).contains(version):
                return True
        except (InvalidSpecifier, InvalidVersion):
            continue
    return False
