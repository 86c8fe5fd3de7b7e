"""What was found about one function, as plain values: every version and cut-off of which the same is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.model.result import Behaviour, Finding, Library, Reference, Result, Witness
from reports.tables.behaviour_names import AS_EXPECTED, readable_name
from reports.wording.anchors import finding_anchor, fragment, library_anchor
from reports.wording.commands import reproduce_command, rerun_command
from reports.wording.formatting import Pairs, Passage, brief, exact, one_line, passage, rounded, web_link

Libraries = Mapping[tuple[str, str], Library]

_TELLING = ("numpy", "pandas", "scipy", "scikit-learn", "torch", "pyspark", "polars", "numba")


@dataclass(frozen=True)
class Place:
    """One version at one cut-off. ``value`` is short, ``exact`` has every digit; ``own`` is evidence of its own."""

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
class Like:
    """Another function of the library with the same meaning, whose script differs in the call only."""

    anchor: str
    function: str


@dataclass(frozen=True)
class Entry:
    """One function of one library, at every place at which the same is told of it."""

    library: str
    page: str
    edges: str
    """Anchors of the page of its library, and there of the table of all experiments."""
    function: str
    places: tuple[Place, ...]
    verdict: str
    reason: Passage | None
    claim: str
    claimed: str
    claim_text: str
    claim_link: str | None
    evidence: Pairs
    """What it stands on, where that is the same at every place."""
    columns: tuple[str, ...]
    """Names of the evidence that is not."""
    witness: Witness | None
    odd: tuple[tuple[str, Behaviour], ...]
    """Experiments in which something is wrong or unusual, by title."""
    even: Pairs
    """Behaviours that are neither wrong nor as everyone expects, each with the titles of its experiments."""
    expected: int
    """In how many experiments nothing happened that has to be looked at."""
    command: str
    script: str
    """Empty where there is none, or where one ``like`` it stands with another function."""
    own_script: str
    """What to type to have its own script; empty where there is none."""
    like: Like | None
    environments: tuple[tuple[str, str, str], ...]
    """Version, its anchor, and what ran."""
    aside: bool
    """Whether its witness is another than that of its group."""

    @property
    def rows(self) -> tuple[tuple[Place, ...], ...]:
        """The places with those of the same numbers together."""
        found: dict[object, list[Place]] = {}
        for place in self.places:
            found.setdefault((place.k, place.exact, place.canonical, place.live, place.own), []).append(place)
        return tuple(map(tuple, found.values()))

    @property
    def first(self) -> Place:
        """The place that stands for all of them."""
        return self.places[0]

    @property
    def versions(self) -> tuple[str, ...]:
        """Every version once."""
        return tuple(dict.fromkeys(place.version for place in self.places))

    @property
    def live(self) -> bool:
        """Whether none of it was replayed from a recording."""
        return all(place.live for place in self.places)

    @property
    def at(self) -> str:
        """The cut-offs in words; empty for a function that takes none."""
        return ", ".join(dict.fromkeys(place.k for place in self.places if place.k != "–"))


def entries(
    findings: Sequence[Finding], shown: Witness | None, result: Result, rows: Sequence[Reference], libraries: Libraries
) -> tuple[Entry, ...]:
    """Return the entries of ``findings``, all of one meaning, beside the ``shown`` witness of that meaning."""
    same: dict[object, list[Finding]] = {}
    for finding in findings:
        entry = libraries[finding.library, finding.version]
        same.setdefault(_told(finding, entry, _aside(finding, shown)), []).append(finding)
    made: list[Entry] = []
    scripts: dict[str, Like] = {}
    for each in same.values():
        first = each[0]
        like = scripts.get(first.library) if first.script else None
        made.append(_entry(each, shown, result, rows, libraries, like))
        if first.script:
            scripts.setdefault(first.library, Like(finding_anchor(first), first.function))
    return tuple(made)


def _told(finding: Finding, entry: Library, aside: bool) -> object:
    """Return what is told of a finding beside its place: findings that share it share an entry."""
    acts = tuple(
        (name, told.name, told.slug, told.text if told.slug else "") for name, told in finding.behaviours.items()
    )
    case = finding.witness.case if finding.witness and aside else ""
    claim = (finding.claimed, finding.matches_claim, entry.claims.get(finding.function, ""))
    return (finding.library, finding.function, finding.reason, claim, acts, case, not finding.script)


def _aside(finding: Finding, shown: Witness | None) -> bool:
    return finding.witness is not None and shown is not None and finding.witness.case != shown.case


def _entry(
    same: Sequence[Finding],
    shown: Witness | None,
    result: Result,
    rows: Sequence[Reference],
    libraries: Libraries,
    like: Like | None,
) -> Entry:
    finding = same[0]
    entry = libraries[finding.library, finding.version]
    source = entry.claims.get(finding.function, "")
    titles = {experiment.name: experiment.title for experiment in result.experiments}
    seen = [dict(_evidence(each)) for each in same]
    names = tuple(dict.fromkeys(name for each in seen for name in each))
    own = tuple(name for name in names if len({each.get(name) for each in seen}) > 1)
    versions = {each.version: libraries[each.library, each.version] for each in same}
    return Entry(
        library=one_line(entry.title),
        page=fragment("library", entry.library),
        edges=fragment("edges", entry.library),
        function=finding.function,
        places=tuple(
            _place(each, [told.get(name, "–") for name in own], rows, libraries)
            for each, told in zip(same, seen, strict=True)
        ),
        verdict=finding.verdict or finding.status,
        reason=passage(finding.reason) if finding.reason else None,
        claim=_claim(finding),
        claimed=finding.claimed or "",
        claim_text=source,
        claim_link=_link(source),
        evidence=tuple((name, seen[0][name]) for name in names if name not in own),
        columns=own,
        witness=finding.witness,
        odd=tuple((titles.get(name, name), told) for name, told in finding.behaviours.items() if told.slug),
        even=_even(finding, titles),
        expected=sum(not told.slug and told.name in AS_EXPECTED for told in finding.behaviours.values()),
        command=rerun_command(result, finding),
        script="" if like else finding.script or "",
        own_script=reproduce_command(finding) if finding.script else "",
        like=like,
        environments=tuple((name, library_anchor(each), _environment(each)) for name, each in versions.items()),
        aside=_aside(finding, shown),
    )


def _place(finding: Finding, own: Sequence[str], rows: Sequence[Reference], libraries: Libraries) -> Place:
    canonical = next((row.value for row in rows if row.k in (finding.k, None)), None)
    return Place(
        anchor=finding_anchor(finding),
        version=one_line(finding.version),
        library_anchor=library_anchor(libraries[finding.library, finding.version]),
        k="–" if finding.k is None else str(finding.k),
        value="–" if finding.value is None else rounded(finding.value),
        exact=exact(finding.value),
        canonical="–" if canonical is None else rounded(canonical),
        live=finding.live,
        own=tuple(own),
    )


def _even(finding: Finding, titles: Mapping[str, str]) -> Pairs:
    found: dict[str, list[str]] = {}
    for name, told in finding.behaviours.items():
        if not told.slug and told.name not in AS_EXPECTED:
            found.setdefault(told.name, []).append(titles.get(name, name))
    return tuple((readable_name(name), ", ".join(names)) for name, names in found.items())


def _link(source: str) -> str | None:
    """Return the address that a citation is or begins with: ``https://…, section 2``."""
    return web_link(source.split(", ", 1)[0])


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
        ("Identified definition on the data", exact(seen.fitted_value) if seen.fitted_value is not None else ""),
        ("Asked up to", "; ".join(f"{name} {words}" for name, words in seen.range.items())),
        ("Not told by what was asked", ", ".join(seen.blind)),
    ]
    return tuple((name, words) for name, words in rows if words)
