"""The result file: everything an audit found, as models that are read, written and described by a JSON Schema."""

# ruff: noqa: RUF012
# Models of pydantic copy their defaults; ruff sees that of models in the module of their base only.

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal, Self

from pydantic import Field, model_validator

from recsys_metric_audit.reference.catalogue.everyday_names import metric_named
from recsys_metric_audit.reports.model.fields import CutOff, FrozenModel, Number, SafeText, Utc, Width
from recsys_metric_audit.reports.model.ranking import DefinitionRanking, Lead
from recsys_metric_audit.reports.model.statement import AxisStatement, Documenter, Statement, Verdict, axis_statements


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


__all__ = [
    "FORMAT", "AxisStatement", "Behaviour", "Bin", "Dataset", "DefinitionRanking", "Documenter", "Effect",
    "EvidenceSummary", "Experiment", "Finding", "Lead", "Library", "LibraryStatus", "Nearest", "Number",
    "Reference", "Result", "Statement", "Status", "Step", "Utc", "Verdict", "Witness", "WitnessItem", "WitnessUser",
    "Worked", "WorkedRow", "axis_statements",
]  # fmt: skip
"""All types of the file: code that reads or makes results needs to import no other module."""

FORMAT: Final = 4

Status = Literal["measured", "not_offered", "failed", "crashed", "timed_out", "unavailable"]
LibraryStatus = Literal["audited", "unavailable", "failed"]

REFUSED = "not compared: every function of the library refuses this data: "
"""How ``EvidenceSummary.range["data"]`` begins where a library was identified by small inputs alone."""
NOT_RECORDED = "not compared: the recording holds no answer on this data at this cut-off"
"""Value of ``EvidenceSummary.range["data"]`` for a replayed recording that holds no answers on the data of the run."""
USERS_DRAWN = "users' values"
"""Key of ``EvidenceSummary.range`` that says of which users a scatter shows values, where it is not of all of them."""


class Dataset(FrozenModel):
    """The data on which every value of this file was computed."""

    name: SafeText
    """Name of the data and of the protocol by which they were split."""
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
    choices: dict[str, SafeText] = {}
    """Decisions made before any metric (split, candidates, threshold, recommender), by name."""
    facts: tuple[SafeText, ...] = ()
    """Properties of the data that are valid but unusual, one sentence each."""


class Library(FrozenModel):
    """One library version and the environment in which it ran."""

    library: str
    """Name of its adapter's folder."""
    title: SafeText
    """Name as its authors write it."""
    version: str
    about: SafeText = ""
    group: str = ""
    """What kind of library it is, such as `frameworks`, `metrics`, `ranking`, `search` or `paper`; may be empty."""
    homepage: SafeText = ""
    python: str
    """Version of the interpreter."""
    source: SafeText
    """Where it came from: package and version, or repository and commit."""
    installed: dict[str, str] = {}
    """Distributions of its environment: name to version."""
    stubs: dict[str, SafeText] = {}
    """Modules replaced by an empty one, each with the reason."""
    seconds: Number | None = None
    """Wall time of all calls, in seconds."""
    status: LibraryStatus
    """`audited`: it ran (single functions may have failed); `unavailable`: it has no environment or source;
    `failed`: its environment was built but its adapter did not answer, or none of its functions could be measured."""
    reason: SafeText | None = None
    """Why it is not `audited`."""
    log: SafeText = ""
    """End of what it wrote to stderr, or of the log of building its environment."""
    out_of_scope: dict[str, SafeText] = {}
    """Functions that were not audited: name to reason."""
    claims: dict[str, SafeText] = {}
    """Where its documentation says what a function computes: function to link or citation."""
    live: bool
    """False: replayed from a recording, not run."""
    recorded: str | None = None
    """Day on which the recording was made; null if the library was run."""
    kept: str | None = None
    """Last day on which the cached answers that were used were stored; null if no cached answer was used."""
    answers: str = ""
    """SHA-256 of its answers to the initial questions, numbers to six digits; empty where they were not all asked."""
    confirms: str = ""
    """Day of the recorded run whose findings stand here, since these answers are the recorded ones; empty if it was
    identified in this run."""
    caution: SafeText = ""
    """Why its rows deserve less trust: the checkout is not the pinned one, or the recording is stale."""

    @model_validator(mode="after")
    def _status_has_a_reason(self) -> Self:
        if self.status != "audited" and not self.reason:
            raise ValueError(f"status {self.status} needs a reason")
        return self


class FunctionName(FrozenModel):
    """Names one function of one library version."""

    library: str
    """Name of the library's adapter."""
    version: str
    """Version of the library: a release, or the first digits of a commit."""
    function: SafeText
    """Dotted path as users reach it, plus `[option=value]` for options that are not at their default."""


class Finding(Statement, FunctionName):
    """States the meaning of one function of one library version at one cut-off, with its numbers and evidence."""

    status: Status
    """Whether it could be measured, and if not, what became of it."""
    reason: SafeText | None = None
    """Why it is not `measured`."""
    value: Number | None = None
    """The library's own mean on the data; null if it gives per-user values only."""
    effect: Effect | None = None
    """By how much the definition moves the value on this data; null if no definition was identified."""
    claimed: str | None = None
    """Signature of the definition that the library's documentation claims."""
    matches_claim: bool | None = None
    """False if the identified definition contradicts what the documentation states, true if it is as claimed; null if
    nothing is claimed or identified, or the formula differs only where the documentation states nothing."""
    live: bool = True
    """False if a recording was replayed."""
    witness: Witness | None = None
    evidence: EvidenceSummary = EvidenceSummary()
    decomposition: tuple[Step, ...] = ()
    """Steps from the canonical definition to the identified one, an axis at a time, on the data; empty if it agrees."""
    scatter: tuple[Bin, ...] = ()
    """Per-user values on the data over the canonical ones, binned; empty if the library gives none."""
    behaviours: dict[str, Behaviour] = {}
    """What the function did in each experiment, by the name of the experiment."""
    documented_call: SafeText | None = None
    """Where the library's documentation asks for this call; of a function's calls, reports show such a one first."""
    claim_says: SafeText | None = None
    """The words of the library's documentation from which ``claimed`` was read."""
    claim_witness: Witness | None = None
    """The smallest probe whose answer contradicts what the documentation states; its ``canonical_value`` is the value
    as documented. Only where ``matches_claim`` is false."""
    script: SafeText | None = None
    """A script that shows the witness with the library's public API only."""
    by_recommender: dict[str, Number | None] = {}
    """The library's own mean on the predictions of each recommender, by name; null if it gives none."""

    @model_validator(mode="after")
    def _status_and_verdict_fit(self) -> Self:
        if (self.status == "measured") != (self.verdict is not None or bool(self.unchecked)):
            raise ValueError(f"a finding has a verdict when it is measured, and only then ({self.status})")
        if self.status != "measured" and not self.reason:
            raise ValueError(f"status {self.status} needs a reason")
        if self.verdict in ("agrees", "variant", "undocumented") and not self.signature:
            raise ValueError(f"verdict {self.verdict} needs a signature")
        return self


class Reference(FrozenModel):
    """The canonical definition of one metric and its value on the data at one cut-off."""

    metric: str
    k: CutOff | None
    signature: str
    definition: dict[str, str] = {}
    value: Number
    """Value of the canonical definition on the data."""
    by_recommender: dict[str, Number] = {}
    """Its value on the predictions of each recommender of the run, by name."""


class Result(FrozenModel):
    """The result of one audit."""

    format: Literal[4] = FORMAT
    tool: str
    """Version of recsys-metric-audit."""
    time: Utc = Field(default_factory=lambda: datetime.now(UTC))
    """When the audit began, UTC."""
    platform: str
    command: SafeText
    """The command that made this file."""
    dataset: Dataset
    k: tuple[CutOff, ...]
    """Cut-offs asked, in the order in which they are shown."""
    reference: tuple[Reference, ...] = ()
    libraries: tuple[Library, ...] = ()
    findings: tuple[Finding, ...] = ()
    """One per (library, version, function, k), in the order of `libraries` and of the library's functions."""
    experiments: tuple[Experiment, ...] = ()
    """The experiments that ``Finding.behaviours`` refers to, in the order in which they are shown."""
    blind: dict[str, SafeText] = {}
    """Axes that cannot be identified on this data, each with the reason."""
    recommenders: tuple[SafeText, ...] = ()
    """Recommenders whose predictions were measured, in the order chosen; empty if none was. Every value that is not
    in a ``by_recommender`` is of the first one's predictions."""
    rankings: tuple[DefinitionRanking, ...] = ()
    """Recommenders by the definitions of ``findings`` that rank, computed by the reference; the one whose predictions
    the libraries were given stands first in ``values``."""

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


def find_function(result: Result, library: str, version: str | None, function: str) -> tuple[Finding, ...]:
    """Return the findings of one function: one per version, each at the first cut-off of the run.

    Args:
        result: Where to look.
        library: Name of the library's adapter.
        version: One version; None for all.
        function: Its dotted path, the end of it after a dot or a colon, or an everyday name of its metric (``map``):
            then the function that the library's adapter lists first for that metric is meant, as it also is where
            only older versions have a function of that name.
    """
    own = [each for each in result.findings if each.library == library and version in (None, each.version)]
    found: dict[tuple[str, str], Finding] = {}
    for each in own:
        if _ends_with(each.function, function):
            found.setdefault((each.version, each.function), each)
    metric = metric_named(function)
    if found and (metric is None or own[0].version in {each.version for each in found.values()}):
        return tuple(found.values())
    first: dict[str, Finding] = {}
    for each in own:
        if metric is not None and each.metric == metric:
            first.setdefault(each.version, each)
    return tuple(first.values())


def _ends_with(path: str, end: str) -> bool:
    return path == end or path.endswith((f".{end}", f":{end}"))


def function_names(result: Result, library: str, version: str | None) -> Sequence[str]:
    """Return the functions of a library in ``result``, each once; ``version`` is None for all versions."""
    own = (each for each in result.findings if each.library == library and version in (None, each.version))
    return tuple(dict.fromkeys(each.function for each in own))
