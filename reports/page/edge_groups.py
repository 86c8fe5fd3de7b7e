"""What the functions of a library do on the edge, put together by what they do alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.model.result import Behaviour, Experiment, Finding
from reports.tables.behaviour_names import AS_EXPECTED, DASHED, readable_name
from reports.wording.anchors import fragment
from reports.wording.variant_letters import letter_sequence


@dataclass(frozen=True)
class Told:
    """What functions do in an experiment, in a word, and the letters of those who do; ``odd`` where that is unusual.

    ``who`` is empty for what most of them do.
    """

    text: str
    who: str
    odd: bool


@dataclass(frozen=True)
class Edges:
    """The experiments beyond the formula. Functions that do the same in every one of them share a letter."""

    anchor: str
    letters: int
    rows: tuple[tuple[str, tuple[Told, ...]], ...]
    """Title of each experiment in which something is to be seen, and what is done in it, the most common first."""
    expected: tuple[str, ...]
    """Titles of the experiments in which every function does what everyone expects."""


def alike(findings: Sequence[Finding], experiments: Sequence[Experiment]) -> dict[str, list[Finding]]:
    """Return functions by letter; experiments do not depend on the cut-off of the data, so each counts once."""
    columns: dict[tuple[str, ...], list[Finding]] = {}
    seen = set()
    for finding in findings:
        if finding.behaviours and (finding.version, finding.function) not in seen:
            seen.add((finding.version, finding.function))
            found = [finding.behaviours.get(experiment.name) for experiment in experiments]
            columns.setdefault(tuple(f"{told.name} {told.slug}" if told else "" for told in found), []).append(finding)
    return {letter.upper(): same for letter, same in zip(letter_sequence(), columns.values(), strict=False)}


def edges(library: str, by_letter: Mapping[str, Sequence[Finding]], experiments: Sequence[Experiment]) -> Edges:
    """Return what the functions of a library, as :func:`alike` put them together, do in each experiment."""
    rows = [
        (one, {letter: same[0].behaviours.get(one.name) for letter, same in by_letter.items()}) for one in experiments
    ]
    return Edges(
        fragment("edges", library),
        len(by_letter),
        tuple((one.title, _told(told)) for one, told in rows if not all(map(_expected, told.values()))),
        tuple(one.title for one, told in rows if by_letter and all(map(_expected, told.values()))),
    )


def _told(by_letter: Mapping[str, Behaviour | None]) -> tuple[Told, ...]:
    found: dict[tuple[str, bool], list[str]] = {}
    for letter, told in by_letter.items():
        name = "not asked" if told is None or told.name in DASHED else readable_name(told.name)
        found.setdefault((name, bool(told and told.slug)), []).append(letter)
    ranked = sorted(found.items(), key=lambda pair: -len(pair[1]))
    return tuple(Told(text, " ".join(who) if n else "", odd) for n, ((text, odd), who) in enumerate(ranked))


def _expected(told: Behaviour | None) -> bool:
    return told is None or (not told.slug and told.name in AS_EXPECTED)


def letters_of(function: str, alike: Mapping[str, Sequence[Finding]]) -> str:
    """Return the letter of a function, or its letters each with its versions."""
    found = {
        letter: [f.version for f in same if f.function == function]
        for letter, same in alike.items()
        if any(f.function == function for f in same)
    }
    if len(found) < 2:
        return "".join(found)
    return ", ".join(f"{letter} ({', '.join(versions)})" for letter, versions in found.items())
