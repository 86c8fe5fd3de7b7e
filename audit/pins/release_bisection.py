"""Bisection: the release of a library at which one function began to compute something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from recsys_metric_audit.audit.environments import package_index
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import Manifest
from recsys_metric_audit.audit.pins.pin_audit import Audit, expectation_from
from recsys_metric_audit.audit.pins.pin_drift import smallest_difference_text
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reports.model.result import Library
from recsys_metric_audit.reports.pins.drift import Drift, find_drift, same_meaning
from recsys_metric_audit.reports.pins.expectation import VersionExpectation


@dataclass(frozen=True)
class Change:
    """Names the releases between which a function changed, as far as those that run can tell.

    Attributes:
        function: Name of the function.
        after: The last release before the change.
        at: The first release after it.
        drift: The change; None if the function computes the same in both, which are then the ends of the search.
        unknown: Releases between `after` and `at`, which did not run.
        asked: The releases that were looked at.
        searched: All releases of the search.
    """

    function: str
    after: str
    at: str
    drift: Drift | None
    unknown: tuple[str, ...]
    asked: tuple[str, ...]
    searched: tuple[str, ...]


def function_named(manifest: Manifest, name: str) -> Function:
    """Return the function of that name, in full, or its last part if only one function ends so.

    Raises:
        UserError: if there is none, or if there are several.
    """
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


def releases_between(manifest: Manifest, start: str, end: str, index: bool) -> list[str]:
    """Return the releases from `start` to `end`, both included, the oldest first.

    Args:
        manifest: the library.
        start: the older end.
        end: the newer end.
        index: True for all releases of the package index, False for pinned versions only.

    Raises:
        UserError: for an end that is not among them, and for ends in the wrong order.
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


def bisect(manifest: Manifest, function: Function, releases: Sequence[str], audit: Audit) -> Change:
    """Halve `releases` until two neighbours are left between which `function` changed.

    Only the releases that this needs are audited. One that does not run is left out, as ``git bisect skip`` does.

    Raises:
        UserError: if the first or the last release does not run.
    """
    known = _KnownReleases(manifest, function, audit)
    low, high = 0, len(releases) - 1
    for end in (low, high):
        if known.get(releases[end]) is None:
            reason = known.reasons[releases[end]]
            raise UserError(f"{manifest.name} {releases[end]} does not run: {reason}", "name another end")
    if known.equal(releases[low], releases[high]):
        ends = releases[low], releases[high]
        return Change(function.name, *ends, None, (), tuple(known.found), tuple(releases))
    while (middle := known.middle(releases, low, high)) is not None:
        # Against the first release: it may state axes that one between leaves open.
        if known.equal(releases[0], releases[middle]):
            low = middle
        else:
            high = middle
    drift = known.drift(releases[0], releases[high])
    asked = tuple(name for name in releases if name in known.found)
    unknown = tuple(releases[low + 1 : high])
    return Change(function.name, releases[low], releases[high], drift, unknown, asked, tuple(releases))


@dataclass
class _KnownReleases:
    """Caches the meaning of a function in the releases audited so far; each is audited once.

    Attributes:
        found: The findings by release; None if it does not run.
        reasons: Why releases do not run.
    """

    manifest: Manifest
    function: Function
    audit: Audit
    found: dict[str, VersionExpectation | None] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def get(self, release: str) -> VersionExpectation | None:
        """Return what a release is found to compute; None if it does not run."""
        if release not in self.found:
            self.found[release] = self._look(release)
        return self.found[release]

    def _look(self, release: str) -> VersionExpectation | None:
        own = next((version for version in self.manifest.versions if version.version == release), None)
        pin = read_pin(self.manifest, own) if own else None
        if pin is not None and self.function.name in pin.functions:
            return pin
        try:
            manifest, version = (self.manifest, own) if own else package_index.trial(self.manifest, release)
        except UserError as error:  # its requirements cannot be resolved
            self.reasons[release] = error.message
            return None
        one = manifest.model_copy(update={"functions": (self.function,)})
        found = expectation_from(self.audit([(one, version)]), one, version)
        if isinstance(found, Library):
            self.reasons[release] = f"{found.status}: {found.reason}"
            return None
        return found

    def equal(self, old: str, new: str) -> bool:
        """Return True if no level changed between two releases that run, as far as both state them."""
        before, after = self.get(old), self.get(new)
        assert before and after
        return same_meaning(before.functions[self.function.name], after.functions[self.function.name])

    def middle(self, releases: Sequence[str], low: int, high: int) -> int | None:
        """Return the place nearest to the middle whose release runs; None if no release between them does."""
        half = (low + high) // 2
        for place in sorted(range(low + 1, high), key=lambda place: abs(place - half)):
            if self.get(releases[place]) is not None:
                return place
        return None

    def drift(self, old: str, new: str) -> Drift:
        """Return how the function changed between two releases that run, with an input that shows it."""
        before, after = self.get(old), self.get(new)
        assert before and after
        (found,) = (each for each in find_drift(before, after) if each.function == self.function.name)
        pair = before.functions[found.function], after.functions[found.function]
        shown = ""
        if all(each.formulas for each in pair):
            shown = smallest_difference_text(pair[0].signature, pair[1].signature, self.function)
        return replace(found, witness=shown)
