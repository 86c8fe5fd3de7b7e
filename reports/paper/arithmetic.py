"""Checks on the paper's own values: arithmetic on the cells of its Table 1 at full precision."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.paper.published import published_value, table_3_columns
from recsys_metric_audit.reports.wording.formatting import exact, rounded

FLOAT64 = 1e-13
FLOAT32 = 2e-7
"""Bounds the relative differences that the rounding of a sum in float64 or float32 explains."""


def _published_cell(name: str) -> str:
    if name.count("/") not in (1, 2) or published_value(*name.split("/")) is None:
        raise ValueError(f"{name} has no published value at full precision")
    return name


Cell = Annotated[str, AfterValidator(_published_cell)]
"""Names a cell with a value at full precision: ``library/metric`` of Table 1, ``library/metric/column`` of Table 2."""


def _value(cell: str) -> float:
    found = published_value(*cell.split("/"))
    assert found is not None
    return found


def is_close(one: float, other: float, width: float = FLOAT64) -> bool:
    """Return True if two values differ by at most ``width``, relative to the larger."""
    return abs(one - other) <= width * max(abs(one), abs(other))


@dataclass(frozen=True)
class CheckResult:
    """Holds the outcome of a check: whether its statement holds, the numbers in words, whether it decides the claim."""

    statement: str
    holds: bool
    numbers: str
    decides: bool
    short: str = ""
    """The statement with its numbers in a few words; empty if it is not told on the one screen."""


class Check(FrozenModel):
    """States something about published values.

    A statement that fails contradicts its claim; with ``decides``, one that holds reproduces it.
    """

    says: str
    decides: bool = False
    short: str = ""
    """What the one screen tells of it; ``{}`` stands for the most telling number."""

    def run(self) -> CheckResult:
        """Return the outcome of the check."""
        holds, numbers = self._compute()
        return CheckResult(self.says, holds, numbers, self.decides, self.short.replace("{}", self._brief()))

    @abstractmethod
    def _compute(self) -> tuple[bool, str]: ...

    def _brief(self) -> str:
        """Return the most telling number, as short as it is read."""
        return ""


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

    def _brief(self) -> str:
        return rounded(_value(self.left) / _value(self.right))

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


class Raises(Check):
    """A change that the paper holds to raise a value does raise it: ``right`` is above ``left``."""

    kind: Literal["raises"]
    left: Cell
    right: Cell

    def _compute(self) -> tuple[bool, str]:
        left, right = _value(self.left), _value(self.right)
        return right > left, f"{exact(left)} becomes {exact(right)}, {right - left:+.4f}"

    def _brief(self) -> str:
        return f"{rounded(_value(self.left))} becomes {rounded(_value(self.right))}"


class Uncounted(Check):
    """Pairs that a call counts as won, because it ranks relevant items behind the shortest list at 0, explain a value.

    A relevant item that is ranked 0 in place of its rank wins as many pairs more as its rank is, out of the irrelevant
    items of its user. Behind place ``shortest`` of about ``rows`` / ``users`` this is between ``shortest`` · ``users``
    / ``rows`` and 1 of them, so that the share of such relevant items is between two bounds.
    """

    kind: Literal["uncounted"]
    printed: Cell
    right: Cell
    shortest: int
    rows: int
    users: int

    @property
    def shares(self) -> tuple[float, float]:
        """The least and the greatest share of relevant items behind the shortest list that explains the value."""
        gap = _value(self.printed) - _value(self.right)
        return gap, gap * self.rows / (self.users * self.shortest)

    def _brief(self) -> str:
        return "{:.0f} to {:.0f} %".format(*(100 * share for share in self.shares))

    def _compute(self) -> tuple[bool, str]:
        least, most = self.shares
        gap = f"{exact(_value(self.printed))} - {exact(_value(self.right))} = {least:.4f}"
        length = f"place {self.shortest:,} of about {self.rows / self.users:,.0f}"
        return 0 < least <= most < 1, f"{gap}: {least:.0%} to {most:.0%} of the relevant items behind {length}"


class Reversed(Check):
    """A failing AUC amounts to another library's: its ranks are counted from the wrong end, and users divide by zero.

    ``counted`` is the value if users who divide by zero count as 0, ``left_out`` if they are left out. The former is
    ``left_out`` times the hit rate where these are the users without a hit; with the ranks turned round it is the hit
    rate less ``counted``.
    """

    kind: Literal["reversed"]
    counted: float
    left_out: float
    hit_rate: Cell
    equals: Cell

    def _brief(self) -> str:
        return rounded(_value(self.hit_rate) * (1 - self.left_out))

    def _compute(self) -> tuple[bool, str]:
        hit_rate, other = _value(self.hit_rate), _value(self.equals)
        same_users = is_close(self.counted, self.left_out * hit_rate)
        turned = hit_rate * (1 - self.left_out)
        words = f"{exact(self.left_out)} x {exact(hit_rate)} = {exact(self.left_out * hit_rate)}; turned round "
        return same_users and is_close(turned, other), words + f"{exact(turned)}, against {exact(other)}"


Arithmetic = Annotated[Equal | Times | Among | Counts | Raises | Uncounted | Reversed, Field(discriminator="kind")]
