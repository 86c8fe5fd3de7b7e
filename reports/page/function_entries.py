"""The entries of a meaning's page: one function with every version and cut-off about which the page says one thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recsys_metric_audit.reports.model.result import Behaviour, Finding, Library, Reference, Result, Witness
from recsys_metric_audit.reports.page.finding_summary import (
    LevelLine,
    computed_sentence,
    contract_words,
    documented_words,
    effect_sentence,
    level_lines,
    who_counts_words,
)
from recsys_metric_audit.reports.page.held_out_words import held_out_line
from recsys_metric_audit.reports.wording.anchors import finding_anchor, fragment, library_anchor
from recsys_metric_audit.reports.wording.commands import reproduce_command, rerun_command
from recsys_metric_audit.reports.wording.formatting import (
    Pairs,
    Passage,
    brief,
    exact,
    one_line,
    passage,
    rounded,
    web_link,
)
from recsys_metric_audit.reports.wording.labels import STATUS_LABELS, VERDICT_MEANINGS
from recsys_metric_audit.reports.wording.meanings import meaning

Libraries = Mapping[tuple[str, str], Library]


@dataclass(frozen=True)
class Occurrence:
    """A function in one version at one cut-off.

    ``value`` is short, ``exact`` has every digit; ``own`` holds the evidence in which occurrences of an entry differ.
    """

    anchor: str
    version: str
    library_anchor: str
    k: str
    value: str
    exact: str
    canonical: str
    live: bool
    own: tuple[str, ...]


@dataclass(frozen=True)
class SimilarFunction:
    """Names another function with this formula, whose script is shown: a page shows one script."""

    anchor: str
    function: str


@dataclass(frozen=True)
class FunctionEntry:
    """One function of one library, with all versions and cut-offs that share the text of the entry.

    Attributes:
        library: Title of the library.
        page: Anchor of the library's page.
        edges: Anchor of the library's table of experiments.
        function: Name of the function.
        occurrences: Its versions and cut-offs.
        verdict: Verdict, or the status.
        heading: The verdict or the status in words.
        reason: Why it has no value; None if it has one.
        signature: The whole identified definition, with its cut-off left open.
        computed: A sentence on its definition; empty if it was not measured.
        unpredicted: The case that no definition predicts, in sentences; empty if one fits.
        separating: The input that would tell several definitions apart, in words; empty if one was identified.
        effect: A sentence on how the definition moves the number here, at the first cut-off.
        levels: Its difference from the canonical definition on each level, in words.
        who_counts: Who counts, in words.
        contract: Its contract, and the arguments of the call.
        documented: Who states its formula.
        claim: A phrase on whether the documentation agrees; empty if it claims nothing.
        claimed: Signature that the documentation states.
        claim_text: Citation of the documentation.
        claim_link: Address of the documentation.
        evidence: Evidence that all occurrences share, as pairs (name, words).
        columns: Names of the evidence in which occurrences differ.
        witness: The witness of the first occurrence.
        own_witness: Whether ``witness`` differs from the witness that the page of the meaning shows.
        odd: Pairs (title of an experiment, behaviour) where the behaviour is wrong or unusual.
        command: Command that reproduces the finding.
        script: Script that shows the witness; empty without one, or if the page shows the script of ``like``.
        own_script: Command that prints the function's own script; empty without a script.
        like: An earlier function of the page whose script is shown as the example.
        environments: The name and the anchor of each version.
    """

    library: str
    page: str
    edges: str
    function: str
    occurrences: tuple[Occurrence, ...]
    verdict: str
    heading: str
    reason: Passage | None
    signature: str
    computed: str
    unpredicted: str
    separating: str
    effect: str
    levels: tuple[LevelLine, ...]
    who_counts: str
    contract: str
    documented: str
    claim: str
    claimed: str
    claim_text: str
    claim_link: str | None
    evidence: Pairs
    columns: tuple[str, ...]
    witness: Witness | None
    own_witness: bool
    odd: tuple[tuple[str, Behaviour], ...]
    command: str
    script: str
    own_script: str
    like: SimilarFunction | None
    environments: Pairs

    @property
    def rows(self) -> tuple[tuple[Occurrence, ...], ...]:
        """The occurrences, grouped by equal numbers."""
        found: dict[object, list[Occurrence]] = {}
        for each in self.occurrences:
            found.setdefault((each.k, each.exact, each.canonical, each.live, each.own), []).append(each)
        return tuple(map(tuple, found.values()))

    @property
    def first(self) -> Occurrence:
        """The occurrence that represents the entry."""
        return self.occurrences[0]

    @property
    def versions(self) -> tuple[str, ...]:
        """Every version once."""
        return tuple(dict.fromkeys(each.version for each in self.occurrences))

    @property
    def live(self) -> bool:
        """True if no occurrence was replayed from a recording."""
        return all(each.live for each in self.occurrences)

    @property
    def at(self) -> str:
        """The cut-offs in words; empty for a function that takes none."""
        return ", ".join(dict.fromkeys(each.k for each in self.occurrences if each.k != "–"))


def function_entries(
    findings: Sequence[Finding], shown: Witness | None, result: Result, rows: Sequence[Reference], libraries: Libraries
) -> tuple[FunctionEntry, ...]:
    """Return the entries of all findings of one meaning.

    Args:
        findings: The findings.
        shown: The witness that the page of the meaning shows; None without one.
        result: The result that they are part of.
        rows: The canonical values of the metric.
        libraries: Every library version of the result.
    """
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        entry = libraries[finding.library, finding.version]
        groups.setdefault(_entry_key(finding, entry, _has_own_witness(finding, shown)), []).append(finding)
    made: list[FunctionEntry] = []
    example: SimilarFunction | None = None
    for group in groups.values():
        first = group[0]
        like = example if first.script else None
        made.append(_entry(group, shown, result, rows, libraries, like))
        if first.script and example is None:
            example = SimilarFunction(finding_anchor(first), first.function)
    return tuple(made)


def _entry_key(finding: Finding, entry: Library, own_witness: bool) -> object:
    """Return everything that an entry says except versions and numbers: findings that share it share an entry."""
    acts = tuple(
        (name, behaviour.name, behaviour.slug, behaviour.text if behaviour.slug else "")
        for name, behaviour in finding.behaviours.items()
    )
    case = finding.witness.case if finding.witness and own_witness else ""
    claim = (finding.claimed, finding.matches_claim, entry.claims.get(finding.function, ""), finding.documented_by)
    reasons = (*finding.cannot_matter.items(), *finding.does_not_apply.items())
    taken = (*finding.takes.items(), *finding.called_with)
    levels = (meaning(finding), finding.unknown, reasons, taken)
    seen = (finding.evidence.unpredicted, finding.evidence.separating_case)
    said = (finding.verdict, finding.reason, *seen, claim, levels, acts, case)
    return (finding.library, finding.function, *said, not finding.script)


def _has_own_witness(finding: Finding, shown: Witness | None) -> bool:
    return finding.witness is not None and shown is not None and finding.witness.case != shown.case


def _entry(
    group: Sequence[Finding],
    shown: Witness | None,
    result: Result,
    rows: Sequence[Reference],
    libraries: Libraries,
    like: SimilarFunction | None,
) -> FunctionEntry:
    finding = group[0]
    entry = libraries[finding.library, finding.version]
    source = entry.claims.get(finding.function, "")
    usual = rows[0].definition if rows else {}
    titles = {experiment.name: experiment.title for experiment in result.experiments}
    seen = [dict(_evidence(each)) for each in group]
    names = tuple(dict.fromkeys(name for each in seen for name in each))
    own = tuple(name for name in names if len({each.get(name) for each in seen}) > 1)
    versions = {each.version: libraries[each.library, each.version] for each in group}
    return FunctionEntry(
        library=one_line(entry.title),
        page=fragment("library", entry.library),
        edges=fragment("edges", entry.library),
        function=finding.function,
        occurrences=tuple(
            _occurrence(each, [evidence.get(name, "–") for name in own], rows, libraries)
            for each, evidence in zip(group, seen, strict=True)
        ),
        verdict=finding.verdict or finding.status,
        heading=VERDICT_MEANINGS[finding.verdict]
        if finding.verdict
        else STATUS_LABELS[finding.status].replace("–", "not offered"),
        reason=passage(finding.reason) if finding.reason else None,
        signature=meaning(finding) or finding.signature or "",
        computed=computed_sentence(finding) if finding.verdict else "",
        unpredicted=finding.evidence.unpredicted,
        separating=finding.evidence.separating_case or "" if finding.verdict == "ambiguous" else "",
        effect=effect_sentence(finding, _canonical(finding, rows)) if finding.verdict else "",
        levels=level_lines(finding, usual),
        who_counts=who_counts_words(finding, usual),
        contract=contract_words(finding),
        documented=documented_words(finding),
        claim=_claim(finding),
        claimed=finding.claimed or "",
        claim_text=source,
        claim_link=_link(source),
        evidence=tuple((name, seen[0][name]) for name in names if name not in own),
        columns=own,
        witness=finding.witness,
        own_witness=_has_own_witness(finding, shown),
        odd=tuple((titles.get(name, name), each) for name, each in finding.behaviours.items() if each.slug),
        command=rerun_command(result, finding),
        script="" if like else finding.script or "",
        own_script=reproduce_command(finding) if finding.script else "",
        like=like,
        environments=tuple((name, library_anchor(each)) for name, each in versions.items()),
    )


def _occurrence(
    finding: Finding, own: Sequence[str], rows: Sequence[Reference], libraries: Libraries
) -> Occurrence:  # fmt: skip
    canonical = _canonical(finding, rows)
    return Occurrence(
        anchor=finding_anchor(finding),
        version=one_line(finding.version),
        library_anchor=library_anchor(libraries[finding.library, finding.version]),
        k="–" if finding.k is None else str(finding.k),
        value="–" if finding.value is None else rounded(finding.value),
        exact=exact(finding.value),
        canonical="–" if canonical is None else rounded(canonical.value),
        live=finding.live,
        own=tuple(own),
    )


def _canonical(finding: Finding, rows: Sequence[Reference]) -> Reference | None:
    return next((row for row in rows if row.k in (finding.k, None)), None)


def _link(source: str) -> str | None:
    """Return the address at the start of a citation such as ``https://…, section 2``; None without one."""
    return web_link(source.split(", ", 1)[0])


def _claim(finding: Finding) -> str:
    if finding.claimed is None:
        return ""
    if finding.matches_claim is None:
        return "Its documentation says"
    return "As its documentation says:" if finding.matches_claim else "Not what its documentation says:"


def _evidence(finding: Finding) -> Pairs:
    """Return the evidence of a finding as pairs (name, words), without empty ones."""
    if finding.verdict is None:
        return ()
    seen = finding.evidence
    rows = [
        ("Cases asked", f"{seen.cases:,}"),
        ("Largest deviation", brief(seen.largest_deviation) if seen.largest_deviation is not None else ""),
        ("Tolerance", brief(seen.tolerance) if seen.tolerance is not None else ""),
        ("Identified definition on the data", exact(seen.fitted_value) if seen.fitted_value is not None else ""),
        ("Asked up to", "; ".join(f"{name} {words}" for name, words in seen.range.items())),
        ("Not told by what was asked", ", ".join(seen.blind)),
        ("Held-out inputs", held_out_line(seen)),
    ]
    return tuple((name, words) for name, words in rows if words)
