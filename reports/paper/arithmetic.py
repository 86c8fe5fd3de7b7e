"""Checks on the paper's own values: arithmetic on the cells of its Table 1 at full precision."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from reports.model.fields import FrozenModel
from reports.paper.described_papers import table_3_columns
from reports.paper.published import published_value
from reports.wording.formatting import exact

FLOAT64 = 1e-13
FLOAT32 = 2e-7
"""Relative differences that the rounding of a sum in float64 or float32 explains."""


def _published_cell(name: str) -> str:
    library, _, metric = name.partition("/")
    if published_value(library, metric) is None:
        raise ValueError(f"{name} has no published value at full precision")
    return name


Cell = Annotated[str, AfterValidator(_published_cell)]
"""A cell of Table 1 with a value at full precision, as ``library/metric``."""


def _value(cell: str) -> float:
    library, _, metric = cell.partition("/")
    found = published_value(library, metric)
    assert found is not None
    return found


def is_close(one: float, other: float, width: float = FLOAT64) -> bool:
    """Return True if two values differ by at most ``width``, relative to the larger."""
    return abs(one - other) <= width * max(abs(one), abs(other))


@dataclass(frozen=True)
class CheckResult:
    """The outcome of a check: whether its statement holds, the numbers in words, and whether it decides the claim."""

    statement: str
    holds: bool
    numbers: str
    decides: bool


class Check(FrozenModel):
    """A statement on published values.

    A statement that fails contradicts its claim; with ``decides``, one that holds reproduces it.
    """

    says: str
    decides: bool = False

    def run(self) -> CheckResult:
        """Return the outcome of the check."""
        holds, numbers = self._compute()
        return CheckResult(self.says, holds, numbers, self.decides)

    @abstractmethod
    def _compute(self) -> tuple[bool, str]: ...


class Equal(Check):
    """All cells hold one number, up to the rounding of float32."""

    kind: Literal["equal"]
    cells: Annotated[tuple[Cell, ...], Field(min_length=2)]

    def _compute(self) -> tuple[bool, str]:
        values = [_value(cell) for cell in self.cells]
        low, high = min(values), max(values)
        return is_close(low, high, FLOAT32), f"from {exact(low)} to {exact(high)}"


class Times(Check):
    """One cell is ``factor`` times another."""

    kind: Literal["times"]
    left: Cell
    factor: float
    right: Cell

    def _compute(self) -> tuple[bool, str]:
        left, right = _value(self.left), _value(self.right)
        words = f"{exact(left)} / {exact(right)} = {exact(left / right)}"
        return is_close(left, self.factor * right), words


class Among(Check):
    """The ratio of two cells is one of ``factors``, the ratios that the claimed cause alone can produce."""

    kind: Literal["among"]
    left: Cell
    right: Cell
    factors: tuple[float, ...]

    def _compute(self) -> tuple[bool, str]:
        ratio = _value(self.left) / _value(self.right)
        could = ", ".join(f"{factor:.4f}" for factor in self.factors)
        return any(is_close(ratio, f, 1e-9) for f in self.factors), f"the ratio is {ratio:.4f}; it could be {could}"


class Counts(Check):
    """The counts of Table 3 add up to 15 papers and give the percentages of the text (§5)."""

    kind: Literal["counts"]

    def _compute(self) -> tuple[bool, str]:
        columns = table_3_columns()
        of = {column.column: column.papers for column in columns}
        papers = sum(of.values())
        known = sum(column.papers for column in columns if column.known)
        full, referred = of["Full desc."] / papers, of["Correct ref."] / papers
        shares = [round(100 * share) for share in (full, referred, known / papers, 1 - known / papers)]
        words = f"{' + '.join(map(str, of.values()))} = {papers}; {', '.join(f'{share} %' for share in shares)}"
        return papers == 15 and shares == [33, 20, 53, 47], words


Arithmetic = Annotated[Equal | Times | Among | Counts, Field(discriminator="kind")]
