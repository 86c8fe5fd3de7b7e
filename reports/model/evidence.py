"""Parts of the result file on which a finding stands: witness, decomposition, scatter, behaviours, evidence."""

# ruff: noqa: RUF012
# Models of pydantic copy their defaults; ruff sees that of models in the module of their base only.

from __future__ import annotations

from reports.model.fields import FrozenModel, Number, SafeText


class WitnessItem(FrozenModel):
    """One item of a user's list, or one relevant item that is not in it."""

    item: SafeText
    gain: Number | None = None
    """Gain in the truth; null for an item that the truth does not hold."""
    hit: bool
    """Whether it is relevant."""
    score: Number | None = None


class WitnessUser(FrozenModel):
    """One user of a witness: the list as recommended, best first."""

    user: SafeText
    items: tuple[WitnessItem, ...]
    missing: tuple[WitnessItem, ...] = ()
    """Relevant items that are not in the list."""
    r: int
    """Relevant items of this user."""
    library_value: Number | None = None
    """Null where the library gives no per-user value or leaves the user out."""
    canonical_value: Number | None = None
    """Null where the canonical definition leaves the user out."""


class WorkedRow(FrozenModel):
    """One line of a worked sum: a place of the list, or of the ideal list."""

    rank: int
    item: SafeText = ""
    cells: tuple[SafeText, ...]
    """One text per column of the sum, in the order of ``Worked.columns``."""


class Worked(FrozenModel):
    """A definition worked by hand on one user: what stands in the sums, and what comes out."""

    signature: str
    columns: tuple[SafeText, ...] = ()
    rows: tuple[WorkedRow, ...] = ()
    lines: tuple[SafeText, ...] = ()
    """The sums written out, one equation a line."""
    value: Number | None
    """Null where the definition leaves the user out."""


class Witness(FrozenModel):
    """The smallest input found on which the library and the canonical definition differ."""

    case: str
    """Name of the probe case."""
    k: int | None
    users: tuple[WitnessUser, ...]
    library_value: Number | None
    canonical_value: Number | None
    text: SafeText
    """What the case shows, in a sentence."""
    worked: tuple[Worked, ...] = ()
    """The canonical definition and the identified one, worked on this input."""


class Step(FrozenModel):
    """One step of a decomposition: the definition after one more axis was moved, and its value on the data."""

    axis: str
    """The axis that was moved; empty for the start."""
    signature: str
    value: Number


class Effect(FrozenModel):
    """By how much a definition moves the number on this data, level by level; a step from NaN to a number is NaN."""

    formula: Number
    """From the canonical value to that of the formula alone."""
    who_counts: Number
    """From there to the value with the averaging and the edges of the function."""
    input: Number
    """From there to the value with its input handling."""
    total: Number
    """From the canonical value to the library's own."""
    same_value: bool
    """Whether the library's value is the canonical one, as far as the library's digits go."""


class Bin(FrozenModel):
    """One cell of a scatter of the library's per-user values over the canonical ones."""

    canonical: Number
    library: Number
    users: int


class Experiment(FrozenModel):
    """A question put to a library itself, beyond the formula: one column of the edge-behaviour matrix."""

    name: str
    title: SafeText
    question: SafeText
    """What is changed, and what would be expected."""


class Behaviour(FrozenModel):
    """What a function did in one experiment."""

    name: str
    """Slug: `unchanged`, `raises`, `zero`, `one`, `nan`, `skipped`, `counted`, `changes`, ... or `not_asked`."""
    text: SafeText = ""
    """The numbers or the error behind it."""
    slug: str | None = None
    """Class that it adds to the finding; null where nothing is wrong or unusual."""


class Nearest(FrozenModel):
    """The definition that comes nearest where none fits."""

    signature: str
    deviation: Number
    """Largest absolute difference over the cases asked."""


class Evidence(FrozenModel):
    """What a finding stands on."""

    cases: int = 0
    """Cases asked."""
    largest_deviation: Number | None = None
    """Largest absolute difference between the library and the identified definition over all cases."""
    tolerance: Number | None = None
    """Difference up to which two values count as equal; follows from the returned type and decimals."""
    range: dict[str, SafeText] = {}
    """How far was asked (gains, ranks, k, r, ...): name to words. Beyond it nothing is claimed."""
    nearest: Nearest | None = None
    separating_case: SafeText | None = None
    """For `ambiguous`: the case that would tell the definitions apart."""
    blind: tuple[str, ...] = ()
    """Axes that act in this metric but could not be told from what was asked."""
    fitted_value: Number | None = None
    """Value of the identified definition on the data."""
