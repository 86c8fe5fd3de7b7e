"""What was found, as plain values: a page for each meaning, with all that compute it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reference import formulas
from reference.definition import SignatureError, parse
from reports.anchors import anchor, fragment, library_anchor
from reports.axes import Choice, Difference, choices, differences
from reports.behaviours import AS_EXPECTED, words
from reports.groups import Group, groups, hue
from reports.handbook import FormulaLine, lines
from reports.plain import Pairs, Passage, brief, exact, one_line, passage, rounded, web_link
from reports.plots import Plot, scatter
from reports.result import Behaviour, Finding, Library, Reference, Result, Witness
from reports.variants import Variants, meaning, variants
from reports.waterfall import Waterfall, waterfall
from reports.words import STATUSES, VERDICTS, title

Libraries = Mapping[tuple[str, str], Library]

_OWN_DATA = re.compile(r"(ml-\w+|synthetic)(:[\w-]+)?")
_TELLING = ("numpy", "pandas", "scipy", "scikit-learn", "torch", "pyspark", "polars", "numba")


@dataclass(frozen=True)
class Entry:
    """One function of one library version at one cut-off. ``value`` is short, ``exact`` has every digit."""

    anchor: str
    library: str
    version: str
    library_anchor: str
    function: str
    k: str
    value: str
    exact: str
    canonical: str
    verdict: str
    reason: Passage | None
    claim: str
    claimed: str
    claim_text: str
    claim_link: str | None
    evidence: Pairs
    live: bool
    witness: Witness | None
    odd: tuple[tuple[str, Behaviour], ...]
    """Experiments in which something is wrong or unusual, by title."""
    even: tuple[tuple[str, str], ...]
    """What happened in all others: name of the behaviour, and titles of the experiments."""
    command: str
    script: str
    environment: str
    aside: bool
    """Whether its witness is another than that of its group."""


@dataclass(frozen=True)
class Meaning:
    """All functions that compute the same: what they compute, and who they are."""

    anchor: str
    metric: str
    metric_anchor: str
    mark: str
    hue: str
    verdict: str
    heading: str
    signature: str
    classes: tuple[str, ...]
    differences: tuple[Difference, ...]
    choices: tuple[Choice, ...]
    formula: tuple[FormulaLine, ...]
    """Empty where the definition is not one of the reference."""
    equivalent: tuple[str, ...]
    separating: str
    nearest: str
    witness: Witness | None
    waterfalls: tuple[Waterfall, ...]
    scatters: tuple[Plot, ...]
    entries: tuple[Entry, ...]

    @property
    def known(self) -> bool:
        """Whether there is a definition to tell of."""
        return bool(self.choices)

    @property
    def measured(self) -> bool:
        """Whether there is a value to tell of."""
        return self.verdict in VERDICTS


def meanings(result: Result) -> tuple[Meaning, ...]:
    """Return the page of every meaning, and of every finding that has none, by metric."""
    marks = variants(result)
    libraries = {(entry.library, entry.version): entry for entry in result.libraries}
    return tuple(_meaning(group, result, marks, libraries) for group in groups(result, marks))


def _meaning(group: Group, result: Result, marks: Variants, libraries: Libraries) -> Meaning:
    first = group.first
    rows = [row for row in result.reference if row.metric == group.metric]
    shown = next((finding.witness for finding in group.findings if finding.witness), None)
    mark = marks.mark(first)
    return Meaning(
        anchor=group.anchor,
        metric=title(group.metric),
        metric_anchor=fragment("metric", group.metric),
        mark=mark,
        hue=hue(mark),
        verdict=first.verdict or first.status,
        heading=VERDICTS[first.verdict] if first.verdict else STATUSES[first.status].replace("–", "not offered"),
        signature=meaning(first) or first.signature or "",
        classes=first.classes,
        differences=differences(first, rows[0].definition if rows else {}),
        choices=choices(first),
        formula=_formula(first),
        equivalent=first.equivalent,
        separating=first.evidence.separating_case or "",
        nearest=_nearest(first),
        witness=shown,
        waterfalls=_waterfalls(group),
        scatters=_scatters(group),
        entries=tuple(_entry(each, shown, result, rows, libraries) for each in group.findings),
    )


def _formula(finding: Finding) -> tuple[FormulaLine, ...]:
    """Return the formula of the identified definition, per user and then over users."""
    if not finding.signature:
        return ()
    try:
        definition = parse(finding.signature)
    except SignatureError:
        # Of another version of the reference, or no signature at all: its axes are told in words.
        return ()
    return lines(formulas.told(definition) + formulas.averaging(definition))


def _nearest(finding: Finding) -> str:
    nearest = finding.evidence.nearest
    return f"{nearest.signature}, off by up to {brief(nearest.deviation)}" if nearest else ""


def _waterfalls(group: Group) -> tuple[Waterfall, ...]:
    """Return one waterfall for each cut-off: what computes the same is decomposed the same."""
    found: dict[int | None, Waterfall] = {}
    for finding in group.findings:
        if finding.k not in found and (made := waterfall(finding)) is not None:
            found[finding.k] = made
    return tuple(found.values())


def _scatters(group: Group) -> tuple[Plot, ...]:
    found: dict[int | None, Plot] = {}
    for finding in group.findings:
        if finding.scatter and finding.k not in found:
            at = "" if finding.k is None else f" at k = {finding.k}"
            found[finding.k] = scatter(f"{title(group.metric)} of every user{at}", finding.scatter)
    return tuple(found.values())


def _entry(
    finding: Finding, shown: Witness | None, result: Result, rows: Sequence[Reference], libraries: Libraries
) -> Entry:
    entry = libraries[finding.library, finding.version]
    source = entry.claims.get(finding.function, "")
    canonical = next((row.value for row in rows if row.k in (finding.k, None)), None)
    other = finding.witness is not None and shown is not None and finding.witness.case != shown.case
    titles = {experiment.name: experiment.title for experiment in result.experiments}
    return Entry(
        anchor=anchor(finding),
        library=one_line(entry.title),
        version=entry.version,
        library_anchor=library_anchor(entry),
        function=finding.function,
        k="–" if finding.k is None else str(finding.k),
        value="–" if finding.value is None else rounded(finding.value),
        exact=exact(finding.value),
        canonical="–" if canonical is None else rounded(canonical),
        verdict=finding.verdict or finding.status,
        reason=passage(finding.reason) if finding.reason else None,
        claim=_claim(finding),
        claimed=finding.claimed or "",
        claim_text=source,
        claim_link=_link(source),
        evidence=_evidence(finding),
        live=finding.live,
        witness=finding.witness,
        odd=tuple((titles.get(name, name), told) for name, told in finding.behaviours.items() if told.slug),
        even=_even(finding, titles),
        command=command(finding, result),
        script=finding.script or "",
        environment=_environment(entry),
        aside=other,
    )


def _even(finding: Finding, titles: Mapping[str, str]) -> Pairs:
    found: dict[str, list[str]] = {}
    for name, told in finding.behaviours.items():
        if not told.slug:
            found.setdefault(told.name, []).append(titles.get(name, name))
    ranked = sorted(found.items(), key=lambda pair: pair[0] in AS_EXPECTED)
    return tuple((words(name), ", ".join(names)) for name, names in ranked)


def _link(source: str) -> str | None:
    """Return the address that a citation is or begins with: ``https://…, section 2``."""
    return web_link(source.split(", ", 1)[0])


def command(finding: Finding, result: Result) -> str:
    """Return what to type to see a finding again; the run's own command where its data was the user's."""
    if not _OWN_DATA.fullmatch(result.dataset.name):
        return result.command
    words = ["audit", "run", "-l", f"{finding.library}=={finding.version}", "--dataset", result.dataset.name]
    if result.recommenders:
        words += ["--recommender", result.recommenders[0]]
    for k in result.k if finding.k is None else (finding.k,):
        words += ["-k", str(k)]
    return shlex.join(words)


def _environment(entry: Library) -> str:
    """Return in one line what ran: interpreter, the distributions that matter most, and the time."""
    known = [f"{name} {entry.installed[name]}" for name in _TELLING if name in entry.installed]
    seconds = [] if entry.seconds is None else [f"all asks of this version took {entry.seconds:.1f} s"]
    return ", ".join([f"Python {entry.python}", *known, *seconds])


def _claim(finding: Finding) -> str:
    if finding.claimed is None:
        return ""
    if finding.matches_claim is None:
        return "Its documentation says"
    return "As its documentation says:" if finding.matches_claim else "Not what its documentation says:"


def _evidence(finding: Finding) -> Pairs:
    """Return the evidence as name and words, without what the finding does not have."""
    if finding.verdict is None:
        return ()
    seen = finding.evidence
    rows = [
        ("Cases asked", f"{seen.cases:,}"),
        ("Largest deviation", brief(seen.largest_deviation) if seen.largest_deviation is not None else ""),
        ("Tolerance", brief(seen.tolerance) if seen.tolerance is not None else ""),
        (
            "Identified definition on the data",
            exact(seen.fitted_value) if seen.fitted_value is not None else "",
        ),
        ("Asked up to", "; ".join(f"{name} {words}" for name, words in seen.range.items())),
        ("Not told by what was asked", ", ".join(seen.blind)),
    ]
    return tuple((name, words) for name, words in rows if words)
