"""What a library's functions computed from version to version, and the release at which one changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from audit.environments import package_index
from audit.errors import UserError
from audit.libraries.function import Function
from audit.libraries.manifest import Manifest, Version
from audit.pins import pin as pins
from reports.model.result import Library, Result
from reports.pins.drift import Drift, find_drift
from reports.pins.expectation import VersionExpectation
from reports.pins.version_history import History, version_history

Audit = Callable[[Sequence[tuple[Manifest, Version]]], Result]


def past(manifest: Manifest, metric: str | None, audit: Audit) -> History:
    """Every pinned version side by side: as accepted, else audited now.

    Raises :class:`UserError` for a metric that no function bears the name of.
    """
    known = list(dict.fromkeys(function.metric for function in manifest.functions))
    if metric is not None and metric not in known:
        raise UserError(f"{manifest.name} has no function called {metric}", f"it has {', '.join(known)}")
    order = package_index.pinned(manifest)
    versions = sorted(manifest.versions, key=lambda version: order.index(version.version))
    known_as: dict[str, VersionExpectation | Library] = {}
    for version in versions:
        accepted = pins.read(manifest, version)
        if accepted is not None:
            known_as[version.version] = accepted
    asked = [(manifest, version) for version in versions if version.version not in known_as]
    result = audit(asked) if asked else None
    for _, version in asked:
        assert result is not None
        known_as[version.version] = pins.found(result, manifest, version)
    names = [f.name for f in manifest.functions if metric in (None, f.metric)]
    audited = {version.version for _, version in asked}
    return version_history(manifest.name, [known_as[name] for name in order], names, audited)


def latest(chosen: Sequence[tuple[Manifest, Version]]) -> tuple[Manifest, Version]:
    """The newest of these versions of one library that can be installed, else the newest."""
    usable = [pair for pair in chosen if pair[1].unavailable is None] or list(chosen)
    newest = package_index.ordered(version.version for _, version in usable)[-1]
    return next(pair for pair in usable if pair[1].version == newest)


def meant(manifest: Manifest, version: Version, audit: Audit) -> VersionExpectation:
    """What a version computes: as accepted, else audited now; a :class:`UserError` where it does not run."""
    found = pins.read(manifest, version) or pins.found(audit([(manifest, version)]), manifest, version)
    if isinstance(found, Library):
        raise UserError(
            f"{manifest.name} {version.version} is {found.status}: {found.reason}", "choose another version"
        )
    return found


def function_named(manifest: Manifest, name: str) -> Function:
    """The function of that name, in full or its last part where only one ends so; else a :class:`UserError`."""
    exact = [each for each in manifest.functions if each.name == name]
    ending = [each for each in manifest.functions if each.name.endswith(f".{name}")]
    match exact or ending:
        case [one]:
            return one
        case []:
            listed = ", ".join(each.name for each in manifest.functions)
            raise UserError(f"{manifest.name} has no function {name!r}", f"it has {listed}")
        case several:
            raise UserError(f"{name!r} may be {' or '.join(each.name for each in several)}", "type it in full")


@dataclass(frozen=True)
class Change:
    """Between ``after`` and ``at`` the function changed as ``drift`` says; ``unknown`` lie between and did not run.

    ``drift`` is ``None`` where both ends mean the same. ``asked`` are the releases that were looked at.
    """

    function: str
    after: str
    at: str
    drift: Drift | None
    unknown: tuple[str, ...]
    asked: tuple[str, ...]
    line: tuple[str, ...]


def line_between(manifest: Manifest, start: str, end: str, index: bool) -> list[str]:
    """The versions from ``start`` to ``end``, oldest first: those pinned, with ``index`` all releases too.

    Raises :class:`UserError` for an end that is none of them, and for ends in the wrong order.
    """
    known = package_index.pinned(manifest)
    if index:
        python = next(version.python for version in manifest.versions if version.version == known[-1])
        known = package_index.ordered({*known, *package_index.on_index(manifest, python)})
    for name in (start, end):
        if name not in known:
            more = "" if index else "; --index adds the releases that are not pinned"
            raise UserError(f"{manifest.name} {name} is not there", f"there are {', '.join(known)}{more}")
    first, last = known.index(start), known.index(end)
    if first >= last:
        raise UserError(f"--from {start} does not come before --to {end}", f"the order is {', '.join(known)}")
    return known[first : last + 1]


def bisect(manifest: Manifest, function: Function, line: Sequence[str], audit: Audit) -> Change:
    """Halve ``line`` until two neighbours differ in what ``function`` means, auditing only what that needs.

    A release that does not run is left out, as ``git bisect skip`` does. Raises :class:`UserError` where an end
    does not run.
    """
    looked = _Looked(manifest, function, audit)
    low, high = 0, len(line) - 1
    for end in (low, high):
        if looked.at(line[end]) is None:
            raise UserError(f"{manifest.name} {line[end]} does not run: {looked.why[line[end]]}", "name another end")
    if looked.same(line[low], line[high]):
        return Change(function.name, line[low], line[high], None, (), tuple(looked.seen), tuple(line))
    while (middle := looked.middle(line, low, high)) is not None:
        if looked.same(line[low], line[middle]):
            low = middle
        else:
            high = middle
    drift = looked.drift(line[low], line[high])
    asked = tuple(name for name in line if name in looked.seen)
    return Change(function.name, line[low], line[high], drift, tuple(line[low + 1 : high]), asked, tuple(line))


@dataclass
class _Looked:
    """What was looked at so far; each release once."""

    manifest: Manifest
    function: Function
    audit: Audit
    seen: dict[str, VersionExpectation | None] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)

    def at(self, name: str) -> VersionExpectation | None:
        """What the function means in that release; ``None`` where it does not run."""
        if name not in self.seen:
            self.seen[name] = self._look(name)
        return self.seen[name]

    def _look(self, name: str) -> VersionExpectation | None:
        own = next((version for version in self.manifest.versions if version.version == name), None)
        accepted = pins.read(self.manifest, own) if own else None
        if accepted is not None and self.function.name in accepted.functions:
            return accepted
        try:
            manifest, version = (self.manifest, own) if own else package_index.trial(self.manifest, name)
        except UserError as error:  # cannot be resolved: this release cannot be had
            self.why[name] = error.message
            return None
        one = manifest.model_copy(update={"functions": (self.function,)})
        found = pins.found(self.audit([(one, version)]), one, version)
        if isinstance(found, Library):
            self.why[name] = f"{found.status}: {found.reason}"
            return None
        return found

    def same(self, old: str, new: str) -> bool:
        before, after = self.at(old), self.at(new)
        assert before and after
        return before.functions[self.function.name].meaning == after.functions[self.function.name].meaning

    def middle(self, line: Sequence[str], low: int, high: int) -> int | None:
        """The place nearest to the middle that runs; ``None`` where nothing is left between."""
        half = (low + high) // 2
        for place in sorted(range(low + 1, high), key=lambda place: abs(place - half)):
            if self.at(line[place]) is not None:
                return place
        return None

    def drift(self, old: str, new: str) -> Drift:
        before, after = self.at(old), self.at(new)
        assert before and after
        (found,) = (each for each in find_drift(before, after) if each.function == self.function.name)
        pair = before.functions[found.function], after.functions[found.function]
        told = pins.apart(pair[0].definitions[0], pair[1].definitions[0]) if all(p.definitions for p in pair) else ""
        return replace(found, witness=told)
