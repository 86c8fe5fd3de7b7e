"""What the paper's own values say by themselves: arithmetic on the cells of its Table 1 at full precision."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from reports.model.fields import FrozenModel
from reports.paper import published
from reports.paper.described_papers import table3
from reports.wording.formatting import exact

FLOAT64 = 1e-13
FLOAT32 = 2e-7
"""Relative differences that the rounding of a sum in float64 or float32 explains."""


def _cell(name: str) -> str:
    library, _, metric = name.partition("/")
    if published.value(library, metric) is None:
        raise ValueError(f"{name} has no published value at full precision")
    return name


Cell = Annotated[str, AfterValidator(_cell)]


def _value(cell: str) -> float:
    library, _, metric = cell.partition("/")
    found = published.value(library, metric)
    assert found is not None
    return found


def close(one: float, other: float, width: float = FLOAT64) -> bool:
    """Whether two values differ by no more than ``width``, relative to the larger."""
    return abs(one - other) <= width * max(abs(one), abs(other))


@dataclass(frozen=True)
class Sum:
    """How a check came out: whether it is as the claim needs it, and the numbers."""

    says: str
    holds: bool
    numbers: str
    decides: bool


class Check(FrozenModel):
    """A statement on published values; ``decides``: where it fails or holds, so does the claim."""

    says: str
    decides: bool = False

    def judged(self) -> Sum:
        """Return how it came out."""
        holds, numbers = self._judge()
        return Sum(self.says, holds, numbers, self.decides)

    @abstractmethod
    def _judge(self) -> tuple[bool, str]: ...


class Equal(Check):
    """All cells hold one number, as far as the shorter of their types tells."""

    kind: Literal["equal"]
    cells: Annotated[tuple[Cell, ...], Field(min_length=2)]

    def _judge(self) -> tuple[bool, str]:
        values = [_value(cell) for cell in self.cells]
        low, high = min(values), max(values)
        return close(low, high, FLOAT32), f"from {exact(low)} to {exact(high)}"


class Times(Check):
    """One cell is ``factor`` times another."""

    kind: Literal["times"]
    left: Cell
    factor: float
    right: Cell

    def _judge(self) -> tuple[bool, str]:
        left, right = _value(self.left), _value(self.right)
        words = f"{exact(left)} / {exact(right)} = {exact(left / right)}"
        return close(left, self.factor * right), words


class Among(Check):
    """The ratio of two cells is one of ``factors``: what the claimed cause alone could make it."""

    kind: Literal["among"]
    left: Cell
    right: Cell
    factors: tuple[float, ...]

    def _judge(self) -> tuple[bool, str]:
        ratio = _value(self.left) / _value(self.right)
        could = ", ".join(f"{factor:.4f}" for factor in self.factors)
        return any(close(ratio, f, 1e-9) for f in self.factors), f"the ratio is {ratio:.4f}; it could be {could}"


class Counts(Check):
    """The counts of Table 3 are of 15 papers, and give the percentages of the text (§5)."""

    kind: Literal["counts"]

    def _judge(self) -> tuple[bool, str]:
        of = {column.column: column.papers for column in table3()}
        papers = sum(of.values())
        known = sum(column.papers for column in table3() if column.known)
        full, referred = of["Full desc."] / papers, of["Correct ref."] / papers
        shares = [round(100 * share) for share in (full, referred, known / papers, 1 - known / papers)]
        words = f"{' + '.join(map(str, of.values()))} = {papers}; {', '.join(f'{share} %' for share in shares)}"
        return papers == 15 and shares == [33, 20, 53, 47], words


Arithmetic = Annotated[Equal | Times | Among | Counts, Field(discriminator="kind")]
