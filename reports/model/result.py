"""The result file ``audit.json``: everything an audit found, readable without this tool.

``format`` is raised by one with every change of a name or of its meaning:

* 1: the first.
* 2: verdicts are about the formula alone. A finding gains ``formula``, ``levels``, ``unknown``, ``cannot_matter``,
  ``does_not_apply``, ``takes``, ``called_with``, ``documented_by``, ``effect``, ``documented_call``, ``claim_says`` and
  ``claim_witness``; ``differs_on`` and ``definition`` hold only axes that apply and are known.
  Its evidence gains ``held_out_users``, ``held_out_cases``, ``held_out`` and ``refuted``.
* 3: a finding is a ``Statement``: ``axes`` holds for each axis what ``definition``, ``differs_on``, ``levels``,
  ``unknown``, ``cannot_matter``, ``does_not_apply`` and ``assumed`` held apart; ``scope``, ``unchecked`` and ``near``
  are new.

Only the present format is read: nothing was released with another one.

Numbers that JSON cannot write are the strings ``"nan"``, ``"inf"`` and ``"-inf"``; all others are JSON
numbers with every digit that is needed to read the same float64 back.
"""

# ruff: noqa: RUF012
# Models of pydantic copy their defaults; ruff sees that of models in the module of their base only.

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any, Final, Literal, Self

from pydantic import Field, model_validator

from recsys_metric_audit.reports.model.evidence import (
    Behaviour,
    Bin,
    Effect,
    EvidenceSummary,
    Experiment,
    Nearest,
    Step,
    Witness,
    WitnessItem,
    WitnessUser,
    Worked,
    WorkedRow,
)
from recsys_metric_audit.reports.model.fields import CutOff, FrozenModel, Number, SafeText, Utc
from recsys_metric_audit.reports.model.statement import (
    AxisStatement,
    Documenter,
    Statement,
    Verdict,
    axis_statements,
)

__all__ = [
    "FORMAT", "AxisStatement", "Behaviour", "Bin", "Dataset", "Documenter", "Effect", "EvidenceSummary", "Experiment",
    "Finding", "Library", "LibraryStatus", "Nearest", "Number", "Reference", "Result", "Statement", "Status", "Step",
    "Utc", "Verdict", "Witness", "WitnessItem", "WitnessUser", "Worked", "WorkedRow", "axis_statements",
]  # fmt: skip
"""All types of the file: code that reads or makes results needs to import no other module."""

FORMAT: Final = 3

Status = Literal["measured", "not_offered", "failed", "crashed", "timed_out", "unavailable"]
LibraryStatus = Literal["audited", "unavailable", "failed"]

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

    format: Literal[3] = FORMAT
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
