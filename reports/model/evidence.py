"""The parts of the result file that support a finding: witness, decomposition, scatter, behaviours, evidence."""

# ruff: noqa: RUF012
# Models of pydantic copy their defaults; ruff sees that of models in the module of their base only.

from __future__ import annotations

from recsys_metric_audit.reports.model.fields import FrozenModel, Number, SafeText, Width


class WitnessItem(FrozenModel):
    """One item of a user's list, or one relevant item that is missing from it."""

    item: SafeText
    gain: Number | None = None
    """Gain in the truth; null if the item is not in the truth."""
    hit: bool
    """Whether the item is relevant."""
    score: Number | None = None


class WitnessUser(FrozenModel):
    """One user of a witness: the list as recommended, best first."""

    user: SafeText
    items: tuple[WitnessItem, ...]
    missing: tuple[WitnessItem, ...] = ()
    """Relevant items that are not in the list."""
    r: int
    """Number of relevant items of this user."""
    library_value: Number | None = None
    """The library's value of this user; null if it gives no per-user value or leaves the user out."""
    canonical_value: Number | None = None
    """The canonical value of this user; null if the canonical definition leaves the user out."""


class WorkedRow(FrozenModel):
    """One line of a worked sum: one rank of the list, or of the ideal list."""

    rank: int
    item: SafeText = ""
    cells: tuple[SafeText, ...]
    """One text per column of the sum, in the order of ``Worked.columns``."""


class Worked(FrozenModel):
    """A definition worked out step by step for one user: the terms of its sums and its value."""

    signature: str
    columns: tuple[SafeText, ...] = ()
    rows: tuple[WorkedRow, ...] = ()
    lines: tuple[SafeText, ...] = ()
    """The sums written out, one equation per line."""
    value: Number | None
    """Value of the user; null if the definition leaves the user out."""


class Witness(FrozenModel):
    """The smallest input found on which the library and the canonical definition differ."""

    case: str
    """Name of the probe case."""
    k: int | None
    users: tuple[WitnessUser, ...]
    library_value: Number | None
    canonical_value: Number | None
    text: SafeText
    """One sentence about what the case shows."""
    worked: tuple[Worked, ...] = ()
    """The canonical and the identified definition, worked out on this input."""


class Step(FrozenModel):
    """One step of a decomposition: the definition after one more axis was changed, and its value on the data."""

    axis: str
    """The axis that was changed; empty for the canonical definition at the start."""
    signature: str
    value: Number


class Effect(FrozenModel):
    """Measures how far a definition moves the value on this data, by level; a step from NaN to a number is NaN."""

    formula: Number
    """Difference from the canonical value to the value of the formula alone."""
    who_counts: Number
    """Further difference with the averaging and the edges of the function."""
    input: Number
    """Further difference with its input handling."""
    total: Number
    """Difference from the canonical value to the library's own value."""
    same_value: bool
    """Whether the library's value is the canonical one to as many digits as the library gives; of whole lists, if the
    function takes no cut-off."""


class Bin(FrozenModel):
    """One bin of the scatter of the library's per-user values over the canonical ones."""

    canonical: Number
    library: Number
    users: int


class Experiment(FrozenModel):
    """A metamorphic test of a library: one change of the input, one row of the edge-behaviour matrix."""

    name: str
    title: SafeText
    question: SafeText
    """What is changed in the input, and what would be expected."""


class Behaviour(FrozenModel):
    """Names the behaviour of a function in one experiment."""

    name: str
    """Slug: `unchanged`, `raises`, `zero`, `one`, `nan`, `skipped`, `counted`, `changes`, ... or `not_asked`."""
    text: SafeText = ""
    """The numbers or the error that were observed."""
    slug: str | None = None
    """Class of deviation that it adds to the finding; null if nothing is wrong or unusual."""


class Nearest(FrozenModel):
    """The definition that comes nearest to the answers, if none fits."""

    signature: str
    deviation: Number
    """Largest absolute difference over all cases asked."""


class EvidenceSummary(FrozenModel):
    """Holds the support of a finding: cases, tolerance, deviations and range."""

    cases: int = 0
    """Number of cases asked."""
    largest_deviation: Number | None = None
    """Largest absolute difference between the library and the identified definition over all cases."""
    tolerance: Width | None = None
    """Difference up to which two values count as equal; it follows from the returned type and its decimals."""
    range: dict[str, SafeText] = {}
    """Ranges of the inputs asked (gains, ranks, k, r, ...), by name. Nothing is claimed beyond them."""
    nearest: Nearest | None = None
    unpredicted: SafeText = ""
    """For `unexplained`: the case that no definition predicts, in words, with both values."""
    separating_case: SafeText | None = None
    """For `ambiguous`: the case that would tell the definitions apart."""
    blind: tuple[str, ...] = ()
    """Axes that act in this metric but could not be identified from the answers."""
    held_out_users: int = 0
    """Number of users of held-out cases whose answers the definition had to predict, and did."""
    held_out_cases: int = 0
    """Number of the held-out cases of these users."""
    held_out: SafeText = ""
    """What the held-out cases left out; if none was tried, why."""
    refuted: dict[str, SafeText] = {}
    """Axes whose value was refuted on held-out inputs, which are unknown then, and kinds of input of which no
    definition says what comes out; each with the case that shows it."""
    fitted_value: Number | None = None
    """Value of the identified definition on the data."""
