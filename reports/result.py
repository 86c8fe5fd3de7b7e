"""The result file ``audit.json``: everything an audit found, readable without this tool.

``format`` is raised by one with every change of a name or of its meaning:

* 1: the first.

Numbers that JSON cannot write are the strings ``"nan"``, ``"inf"`` and ``"-inf"``; all others are JSON
numbers with every digit that is needed to read the same float64 back.
"""

from __future__ import annotations

import math
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    model_validator,
)

FORMAT: Final = 1

Status = Literal["measured", "not_offered", "failed", "crashed", "timed_out", "unavailable"]
Verdict = Literal["agrees", "variant", "undocumented", "ambiguous", "unexplained", "unstable"]
LibraryStatus = Literal["audited", "unavailable", "failed"]

_UNWRITABLE = ("nan", "inf", "-inf")


def _number_in(value: Any) -> Any:
    return float(value) if isinstance(value, str) and value in _UNWRITABLE else value


def _number_out(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _words(value: Any) -> Any:
    # A library's error text may hold lone surrogates, which no encoding can write.
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


Number = Annotated[
    float,
    BeforeValidator(_number_in),
    PlainSerializer(_number_out, when_used="json"),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"enum": list(_UNWRITABLE)}]}),
]
Words = Annotated[str, BeforeValidator(_words)]
Utc = Annotated[AwareDatetime, AfterValidator(lambda time: time.astimezone(UTC))]


class Part(BaseModel):
    """Base of every part: immutable, no unknown names, docstrings become the schema's descriptions."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Dataset(Part):
    """The data on which every value of this file was computed."""

    name: Words
    digest: str
    """Digest of predictions, truth and train together, as `sha256:…`."""
    users: int
    """Users that occur in predictions or truth."""
    items: int
    """Items of the catalogue."""
    pairs: int
    """Relevant (user, item) pairs."""
    rows: int
    """Recommended rows."""
    choices: dict[str, Words] = {}
    """What was decided before any metric (split, candidates, threshold, recommender): name to words."""
    facts: tuple[Words, ...] = ()
    """What is legal but unusual in the data, one sentence each."""


class Library(Part):
    """One library version and the environment in which it ran."""

    library: str
    """Name of its adapter's folder."""
    title: Words
    """Name as its authors write it."""
    version: str
    about: Words = ""
    homepage: Words = ""
    python: str
    """Version of the interpreter."""
    source: Words
    """Where it came from: package and version, or repository and commit."""
    installed: dict[str, str] = {}
    """Distributions of its environment: name to version."""
    stubs: dict[str, Words] = {}
    """Modules replaced by an empty one, each with the reason."""
    seconds: Number | None = None
    """Wall time of all asks."""
    status: LibraryStatus
    """`audited`: it ran (single functions may have failed); `unavailable`: no environment or source to run
    it in; `failed`: its environment stands but its adapter did not answer at all."""
    reason: Words | None = None
    """Why it is not `audited`."""
    log: Words = ""
    """End of what it wrote to stderr, or of the log of building its environment."""
    out_of_scope: dict[str, Words] = {}
    """Functions that were not audited: name to reason."""
    claims: dict[str, Words] = {}
    """Where its documentation says what a function computes: function to link or citation."""
    live: bool
    """False: replayed from a recording, not run."""
    recorded: str | None = None
    """The day on which the recording was made; null for what was run."""
    caution: Words = ""
    """What limits trust in its rows: the checkout is not the pinned one, or the recording is stale and in what."""

    @model_validator(mode="after")
    def _status_has_a_reason(self) -> Self:
        if self.status != "audited" and not self.reason:
            raise ValueError(f"status {self.status} needs a reason")
        return self


class WitnessItem(Part):
    """One item of a user's list, or one relevant item that is not in it."""

    item: Words
    gain: Number | None = None
    """Gain in the truth; null for an item that the truth does not hold."""
    hit: bool
    """Whether it is relevant."""
    score: Number | None = None


class WitnessUser(Part):
    """One user of a witness: the list as recommended, best first."""

    user: Words
    items: tuple[WitnessItem, ...]
    missing: tuple[WitnessItem, ...] = ()
    """Relevant items that are not in the list."""
    r: int
    """Relevant items of this user."""
    library_value: Number | None = None
    """Null where the library gives no per-user value or leaves the user out."""
    canonical_value: Number | None = None
    """Null where the canonical definition leaves the user out."""


class WorkedRow(Part):
    """One line of a worked sum: a place of the list, or of the ideal list."""

    rank: int
    item: Words = ""
    cells: tuple[Words, ...]
    """One text per column of the sum, in the order of ``Worked.columns``."""


class Worked(Part):
    """A definition worked by hand on one user: what stands in the sums, and what comes out."""

    signature: str
    columns: tuple[Words, ...] = ()
    rows: tuple[WorkedRow, ...] = ()
    lines: tuple[Words, ...] = ()
    """The sums written out, one equation a line."""
    value: Number | None
    """Null where the definition leaves the user out."""


class Witness(Part):
    """The smallest input found on which the library and the canonical definition differ."""

    case: str
    """Name of the probe case."""
    k: int | None
    users: tuple[WitnessUser, ...]
    library_value: Number | None
    canonical_value: Number | None
    text: Words
    """What the case shows, in a sentence."""
    worked: tuple[Worked, ...] = ()
    """The canonical definition and the identified one, worked on this input."""


class Step(Part):
    """One step of a decomposition: the definition after one more axis was moved, and its value on the data."""

    axis: str
    """The axis that was moved; empty for the start."""
    signature: str
    value: Number


class Bin(Part):
    """One cell of a scatter of the library's per-user values over the canonical ones."""

    canonical: Number
    library: Number
    users: int


class Experiment(Part):
    """A question put to a library itself, beyond the formula: one column of the edge-behaviour matrix."""

    name: str
    title: Words
    question: Words
    """What is changed, and what would be expected."""


class Behaviour(Part):
    """What a function did in one experiment."""

    name: str
    """Slug: `unchanged`, `raises`, `zero`, `one`, `nan`, `skipped`, `counted`, `changes`, ... or `not_asked`."""
    text: Words = ""
    """The numbers or the error behind it."""
    slug: str | None = None
    """Class that it adds to the finding; null where nothing is wrong or unusual."""


class Nearest(Part):
    """The definition that comes nearest where none fits."""

    signature: str
    deviation: Number
    """Largest absolute difference over the cases asked."""


class Evidence(Part):
    """What a finding stands on."""

    cases: int = 0
    """Cases asked."""
    largest_deviation: Number | None = None
    """Largest absolute difference between the library and the identified definition over all cases."""
    tolerance: Number | None = None
    """Difference up to which two values count as equal; follows from the returned type and decimals."""
    range: dict[str, Words] = {}
    """How far was asked (gains, ranks, k, r, ...): name to words. Beyond it nothing is claimed."""
    nearest: Nearest | None = None
    separating_case: Words | None = None
    """For `ambiguous`: the case that would tell the definitions apart."""
    blind: tuple[str, ...] = ()
    """Axes that act in this metric but could not be told from what was asked."""
    fitted_value: Number | None = None
    """Value of the identified definition on the data."""


class Finding(Part):
    """What one function of one library version computes at one cut-off."""

    library: str
    version: str
    function: Words
    """Dotted path as users reach it, plus `[option=value]` for options that are not at their default."""
    metric: str
    """Family whose name the function bears."""
    k: int | None
    """Cut-off; null for a function that takes none."""
    status: Status
    reason: Words | None = None
    """Why it is not `measured`."""
    value: Number | None = None
    """The library's own mean on the data; null where it gives per-user values only."""
    verdict: Verdict | None = None
    """Null unless measured."""
    signature: str | None = None
    """The identified definition, short form: only what is not canonical."""
    definition: dict[str, str] = {}
    """The identified definition: every axis to its value."""
    differs_on: tuple[str, ...] = ()
    """Axes on which it is not the canonical definition."""
    classes: tuple[str, ...] = ()
    """Classes of the difference, as slugs."""
    equivalent: tuple[str, ...] = ()
    """Other signatures that fit as well."""
    claimed: str | None = None
    """What the library's documentation says, as a signature."""
    matches_claim: bool | None = None
    """Null where nothing is claimed or nothing was identified."""
    live: bool = True
    """False for a replayed recording."""
    witness: Witness | None = None
    evidence: Evidence = Evidence()
    decomposition: tuple[Step, ...] = ()
    """From the canonical definition to the identified one, one axis at a time, on the data; empty when it agrees."""
    scatter: tuple[Bin, ...] = ()
    """Per-user values on the data against the canonical ones, binned; empty where the library gives none."""
    behaviours: dict[str, Behaviour] = {}
    """Experiment to what the function did."""
    script: Words | None = None
    """A script that shows the witness with the library's public API only."""
    by_recommender: dict[str, Number | None] = {}
    """The library's own mean on the predictions of each recommender of the run, by name; null where it gives none."""

    @model_validator(mode="after")
    def _status_and_verdict_fit(self) -> Self:
        if (self.status == "measured") != (self.verdict is not None):
            raise ValueError(f"a finding has a verdict when it is measured, and only then ({self.status})")
        if self.status != "measured" and not self.reason:
            raise ValueError(f"status {self.status} needs a reason")
        if self.verdict in ("agrees", "variant", "undocumented") and not self.signature:
            raise ValueError(f"verdict {self.verdict} needs a signature")
        return self


class Reference(Part):
    """The canonical definition of one metric and its value on the data at one cut-off."""

    metric: str
    k: int | None
    signature: str
    definition: dict[str, str] = {}
    value: Number
    by_recommender: dict[str, Number] = {}
    """Its value on the predictions of each of the run's recommenders, by name."""


class Result(Part):
    """One audit."""

    format: Literal[1] = FORMAT
    tool: str
    """Version of recsys-metric-audit."""
    time: Utc = Field(default_factory=lambda: datetime.now(UTC))
    """When the audit began, UTC."""
    platform: str
    command: Words
    """The command that made it."""
    dataset: Dataset
    k: tuple[int, ...]
    """Cut-offs asked, in the order in which they are shown."""
    reference: tuple[Reference, ...] = ()
    libraries: tuple[Library, ...] = ()
    findings: tuple[Finding, ...] = ()
    """One per (library, version, function, k), in the order of `libraries` and of the library's functions."""
    experiments: tuple[Experiment, ...] = ()
    """The experiments behind ``Finding.behaviours``, in the order in which they are shown."""
    blind: dict[str, Words] = {}
    """Axes that this data cannot show, each with the reason."""
    recommenders: tuple[Words, ...] = ()
    """Recommenders whose predictions were measured, as they were chosen; the first is behind every other value of
    this file. Empty where none was chosen."""

    @model_validator(mode="after")
    def _keys_are_unique_and_known(self) -> Self:
        _refuse_twice("library version", [(entry.library, entry.version) for entry in self.libraries])
        _refuse_twice("finding", [(f.library, f.version, f.function, f.k) for f in self.findings])
        _refuse_twice("reference row", [(row.metric, row.k) for row in self.reference])
        known = {(entry.library, entry.version) for entry in self.libraries}
        for finding in self.findings:
            if (finding.library, finding.version) not in known:
                raise ValueError(f"no entry in libraries for {finding.library} {finding.version}")
        return self


def _refuse_twice(what: str, keys: list[Any]) -> None:
    for key, count in Counter(keys).items():
        if count > 1:
            raise ValueError(f"{what} {key} occurs {count} times")
