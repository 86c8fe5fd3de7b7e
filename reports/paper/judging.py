"""Is what the paper says so? Each claim held against what an audit found.

A claim states a definition, an audit identified one (or several that fit). Both are evaluated on the claim's ways of
calling (:mod:`reports.paper.sample_data`), and the claim stands where all that fits gives the same values. Nothing is
judged by what a function is called, by its documentation, or by reading it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from reference.definitions.definition import Definition, SignatureError, parse
from reports.model.result import Finding, Library, Result
from reports.paper import published
from reports.paper.arithmetic import Sum, close
from reports.paper.causes import Cause, causes
from reports.paper.claims import About, Claim, Way, claims
from reports.paper.sample_data import same


class Verdict(StrEnum):
    """What became of a claim; worst first."""

    contradicted = "contradicted"
    versions = "true for these versions only"
    way = "true only for the paper's way of calling"
    reproduced = "reproduced"
    open = "not verifiable"


@dataclass(frozen=True)
class Ground:
    """One finding a claim is judged by.

    ``ways``: on which all that fits equals what is claimed; ``others``: on which none of it does; ``unsure``: on which
    some does. ``differs``: axes and values by which what was found leaves the claim. ``why`` it says nothing, where it
    does not.
    """

    finding: Finding
    verdict: Verdict
    ways: tuple[Way, ...] = ()
    others: tuple[Way, ...] = ()
    unsure: tuple[Way, ...] = ()
    differs: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Subject:
    """What became of the claim for one library and metric. ``audited`` is false where no version was."""

    about: About
    title: str
    verdict: Verdict
    grounds: tuple[Ground, ...]
    why: str
    cause: Cause | None
    audited: bool

    @property
    def own(self) -> tuple[Ground, ...]:
        """The grounds of the paper's version."""
        return tuple(each for each in self.grounds if each.finding.version == self.about.version)


@dataclass(frozen=True)
class Answer:
    """What became of one claim, with all that it stands on."""

    claim: Claim
    verdict: Verdict
    subjects: tuple[Subject, ...]
    sums: tuple[Sum, ...]


def judge(result: Result) -> tuple[Answer, ...]:
    """Return the answer to every claim, in their order."""
    return tuple(_answer(claim, result) for claim in claims().claim)


def judged(result: Result) -> tuple[Finding, ...]:
    """Return the findings that some claim is judged by."""
    return tuple(each for claim in claims().claim for about in claim.about for each in _findings(about, result))


def _answer(claim: Claim, result: Result) -> Answer:
    subjects = _called_otherwise(tuple(_subject(about, claim, result) for about in claim.about))
    sums = tuple(each.judged() for each in claim.arithmetic)
    found = {subject.verdict for subject in subjects}
    if any(not each.holds for each in sums):
        found.add(Verdict.contradicted)
    elif found <= {Verdict.open} and any(each.decides for each in sums):
        found.add(Verdict.reproduced)
    return Answer(claim, next((each for each in Verdict if each in found), Verdict.open), subjects, sums)


def _subject(about: About, claim: Claim, result: Result) -> Subject:
    entries = [entry for entry in result.libraries if entry.library == about.library]
    grounds = tuple(_ground(each, about, claim.ways) for each in _findings(about, result))
    verdict, why = _of_versions(about, grounds, entries)
    cause = causes(about, claim.baseline, _settled(about, grounds), claim.ways) if claim.baseline else None
    title = entries[0].title if entries else published.TITLES[about.library]
    return Subject(about, title, verdict, grounds, why, cause, any(entry.status == "audited" for entry in entries))


def _findings(about: About, result: Result) -> list[Finding]:
    """The findings that are meant, at the cut-off of the paper where the run has it."""
    k = published.K if published.K in result.k else next(iter(result.k), None)
    return [
        each for each in result.findings
        if (each.library, each.metric) == (about.library, about.metric) and each.k in (k, None)
        and each.status not in ("not_offered", "unavailable") and re.search(about.function, each.function)
    ]  # fmt: skip


def _ground(finding: Finding, about: About, ways: Sequence[Way]) -> Ground:
    if about.fails:
        return _failing(finding)
    fitting, why = definitions(finding)
    if why:
        return Ground(finding, Verdict.open, why=why)
    if any(each.metric != about.metric for each in fitting):
        return Ground(finding, Verdict.contradicted, others=tuple(ways), differs=(fitting[0].metric,))
    alike = [{way for way in ways if same(each, about.claimed, way)} for each in fitting]
    every = tuple(way for way in ways if all(way in each for each in alike))
    others = tuple(way for way in ways if not any(way in each for each in alike))
    unsure = tuple(way for way in ways if way not in every + others)
    if ways[0] in unsure:
        why = f"of what fits ({_some(fitting)}) some is as claimed"
        return Ground(finding, Verdict.open, every, others, unsure, why=why)
    verdict = Verdict.contradicted if ways[0] in others else Verdict.way if others else Verdict.reproduced
    return Ground(finding, verdict, every, others, unsure, _differing(fitting[0], about))


def _differing(real: Definition, about: About) -> tuple[str, ...]:
    """Axes of the formula and of averaging on which it leaves the claim, as ``axis:value``."""
    claimed = about.claimed.axes
    told = {axis.name for axis in real.family.all_axes if axis.part in ("formula", "averaging")} | set(about.expects)
    return tuple(f"{axis}:{value}" for axis, value in real.values if axis in told and value != claimed[axis])


def definitions(finding: Finding) -> tuple[tuple[Definition, ...], str]:
    """Return every definition that fits a finding, or why none is known."""
    if finding.verdict is None:
        return (), f"{finding.status.replace('_', ' ')}: {finding.reason}"
    if finding.signature is None:
        near = finding.evidence.nearest
        more = f"; the nearest is {near.signature}, off by up to {near.deviation:.2g}" if near else ""
        return (), f"{finding.verdict}: what it computes is not identified{more}"
    if finding.verdict == "ambiguous" and not finding.equivalent:
        return (), "several definitions fit, and this file holds only one of them"
    try:
        return tuple(parse(each) for each in (finding.signature, *finding.equivalent)), ""
    except SignatureError as error:
        return (), f"the signature is of another version of this tool: {error}"


def _some(fitting: Sequence[Definition]) -> str:
    more = f" or {len(fitting) - 1} more" if len(fitting) > 1 else ""
    return f"{fitting[0].signature()}{more}"


def _failing(finding: Finding) -> Ground:
    """No value came out: an error, or NaN on the data."""
    none = finding.value is not None and math.isnan(finding.value)
    if finding.status in ("failed", "crashed", "timed_out") or none:
        return Ground(finding, Verdict.reproduced)
    if finding.value is None:
        return Ground(finding, Verdict.open, why="it answers user by user; whether a mean fails was not asked")
    return Ground(finding, Verdict.contradicted)


def _of_versions(about: About, grounds: Sequence[Ground], entries: Sequence[Library]) -> tuple[Verdict, str]:
    """What all versions of one library say together; the paper's counts first."""
    of = {version: _of_functions([g for g in grounds if g.finding.version == version])
          for version in dict.fromkeys(g.finding.version for g in grounds)}  # fmt: skip
    own = of.pop(about.version, Verdict.open)
    others = {each for each in of.values() if each is not Verdict.open}
    if own is Verdict.reproduced and Verdict.contradicted in others:
        return Verdict.versions, ""
    if own is not Verdict.open:
        return own, ""
    why = _absent(about, grounds, entries)
    if not others:
        return Verdict.open, why
    if others == {Verdict.contradicted}:
        return Verdict.open, f"{why}; the versions that were audited compute something else"
    return (Verdict.versions if Verdict.contradicted in others else min(others, key=list(Verdict).index)), why


def _of_functions(grounds: Sequence[Ground]) -> Verdict:
    """What all functions of one version say: where they differ, it depends on how the library is called."""
    found = {each.verdict for each in grounds} - {Verdict.open}
    if not found:
        return Verdict.open
    return found.pop() if len(found) == 1 else Verdict.way


def _absent(about: About, grounds: Sequence[Ground], entries: Sequence[Library]) -> str:
    """Why the paper's version says nothing."""
    entry = next((entry for entry in entries if entry.version == about.version), None)
    if entry is None:
        return f"{about.version}, the paper's version, is not in this audit"
    if entry.status != "audited":
        return f"{about.version}, the paper's version, is {entry.status}: {entry.reason}"
    mine = [each for each in grounds if each.finding.version == about.version]
    return mine[0].why if mine else f"{about.version} does not offer it"


def _settled(about: About, grounds: Sequence[Ground]) -> tuple[Definition, ...]:
    """What the first identified function of the paper's version computes; without one, the first that is as claimed."""
    known = [each for each in grounds if each.verdict is not Verdict.open]
    own = [each for each in known if each.finding.version == about.version]
    chosen = own or [each for each in known if each.verdict in (Verdict.reproduced, Verdict.way)]
    return definitions(chosen[0].finding)[0] if chosen else ()


def _called_otherwise(subjects: tuple[Subject, ...]) -> tuple[Subject, ...]:
    """The paper's own number tells a claim that is wrong from one that is true of the paper's call: where it is that
    of a library for which the claim stands, the library was called so that it does."""
    right = [_paper(each) for each in subjects if each.verdict in (Verdict.reproduced, Verdict.way)]
    return tuple(
        each if each.verdict is not Verdict.contradicted or not _among(_paper(each), right)
        else Subject(each.about, each.title, Verdict.way, each.grounds,
                     "the paper's own number is that of the libraries for which the claim stands, so it was called in "
                     "another way than the library's own program does", each.cause, each.audited)
        for each in subjects
    )  # fmt: skip


def _paper(subject: Subject) -> float | None:
    return published.value(subject.about.library, subject.about.metric)


def _among(value: float | None, others: Sequence[float | None]) -> bool:
    return value is not None and any(other is not None and close(value, other, 1e-12) for other in others)
