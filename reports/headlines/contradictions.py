"""Contradictions between a library's documentation and what its functions compute, with sentence, place and witness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse, stated_axes
from recsys_metric_audit.reports.model.result import Finding, Library, Result, Witness
from recsys_metric_audit.reports.wording.axis_words import value_meaning
from recsys_metric_audit.reports.wording.formatting import one_line, rounded
from recsys_metric_audit.reports.wording.formula_words import formula_words
from recsys_metric_audit.reports.wording.labels import metric_title
from recsys_metric_audit.reports.wording.meanings import meaning, open_cutoff


@dataclass(frozen=True)
class Contradiction:
    """Holds one statement of a library's documentation that its code contradicts.

    Attributes:
        library: The library's name.
        versions: Its versions that contradict it, in the order of the run.
        functions: The functions that contradict it.
        metric: The metric after which they are named.
        says: The words of the documentation; empty if the adapter does not quote them.
        where: The place in the documentation.
        documented: What the statement means, on the contradicted axes, in words.
        computed: The values that the functions have instead on the axes of the statement, in words.
        claimed: Signature of what the documentation states.
        signature: Signature of what the functions compute.
        witness: A probe whose answer contradicts the statement, in a sentence; empty without one.
    """

    library: str
    versions: tuple[str, ...]
    functions: tuple[str, ...]
    metric: str
    says: str
    where: str
    documented: str
    computed: str
    claimed: str
    signature: str
    witness: str


def contradictions(result: Result) -> tuple[Contradiction, ...]:
    """Return each contradicted statement once, with all functions and versions that contradict it alike."""
    libraries = {(entry.library, entry.version): entry for entry in result.libraries}
    groups: dict[object, list[Finding]] = {}
    for finding in result.findings:
        if finding.matches_claim is False and finding.claimed:
            where = libraries[finding.library, finding.version].claims.get(finding.function, "")
            differing = contradicted_axes(finding)
            values = tuple((axis, finding.definition.get(axis)) for axis in differing)
            key = (finding.library, finding.metric, finding.claimed, finding.claim_says, where, values)
            groups.setdefault(key, []).append(finding)
    return tuple(_contradiction(group, libraries[group[0].library, group[0].version]) for group in groups.values())


def _contradiction(group: Sequence[Finding], entry: Library) -> Contradiction:
    first = next((each for each in group if each.claim_witness), group[0])
    claimed, axes = _parsed(first.claimed), contradicted_axes(first)
    return Contradiction(
        library=one_line(entry.title),
        versions=tuple(dict.fromkeys(one_line(each.version) for each in group)),
        functions=tuple(dict.fromkeys(one_line(each.function) for each in group)),
        metric=metric_title(first.metric),
        says=one_line(first.claim_says or ""),
        where=one_line(entry.claims.get(first.function, "")),
        documented=_in_words(first.metric, claimed.axes, axes) if claimed else "",
        computed=_in_words(first.metric, first.definition, axes) or formula_words(first.metric, first.formula or ""),
        claimed=first.claimed or "",
        signature=open_cutoff(meaning(first) or first.signature or ""),
        witness=_witness_in_words(first.claim_witness),
    )


def contradicted_axes(finding: Finding) -> tuple[str, ...]:
    """Return the axes that the claim states otherwise than the identified definition."""
    claimed = _parsed(finding.claimed)
    if claimed is None or finding.claimed is None:
        return ()
    named = stated_axes(finding.claimed) - {*finding.cannot_matter}
    return tuple(
        axis for axis, value in finding.definition.items() if claimed.axes.get(axis, value) != value and axis in named
    )


def _parsed(signature: str | None) -> Definition | None:
    """Return a definition; None for no signature, or one of another version of this tool."""
    try:
        return parse(signature) if signature else None
    except SignatureError:
        return None


def _in_words(metric: str, values: dict[str, str], axes: Sequence[str]) -> str:
    return "; ".join(f"{axis}: {value_meaning(metric, axis, values[axis]) or values[axis]}" for axis in axes)


def _witness_in_words(witness: Witness | None) -> str:
    if witness is None:
        return ""
    k = f", k = {witness.k}" if witness.k is not None else ""
    shown = "; ".join(_user_in_words(user.items, user.r) for user in witness.users[:1])
    more = f" and {len(witness.users) - 1} more users" if len(witness.users) > 1 else ""
    library, documented = (_number(value) for value in (witness.library_value, witness.canonical_value))
    return f"{shown}{more}{k}: the documentation gives {documented}, the library {library} (case {witness.case})"


def _user_in_words(items: Sequence[object], r: int) -> str:
    hits = [str(rank) for rank, item in enumerate(items, start=1) if getattr(item, "hit", False)]
    found = f"relevant at rank {', '.join(hits)}" if hits else "none relevant"
    return f"a list of {len(items)}, {found}, r = {r}"


def _number(value: float | None) -> str:
    return "no value" if value is None else rounded(value)
