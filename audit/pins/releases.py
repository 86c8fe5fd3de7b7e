"""Releases of a library beside each other: their history, the one that changed a function, and the newest one."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from recsys_metric_audit.audit.environments import package_index
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries import discovery
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import FILE, Manifest, Version
from recsys_metric_audit.audit.pins.pin_drift import Audit, drift_from, expectation_from, smallest_difference_text
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reports.model.atomic_write import replace_file
from recsys_metric_audit.reports.model.result import Library
from recsys_metric_audit.reports.pins.drift import Drift, find_drift, same_meaning
from recsys_metric_audit.reports.pins.expectation import VersionExpectation
from recsys_metric_audit.reports.pins.version_history import History, version_history


def library_history(manifest: Manifest, metric: str | None, audit: Audit) -> History:
    """Return every pinned version beside the others, the oldest first: in ``library.toml`` the newest stands first.

    Args:
        manifest: the library.
        metric: the metric whose name a function bears to be included; None for all functions.
        audit: audits versions; called once, with the versions that were never accepted.

    Raises:
        UserError: for a metric whose name no function bears.
    """
    metrics = list(dict.fromkeys(function.metric for function in manifest.functions))
    if metric is not None and metric not in metrics:
        raise UserError(f"{manifest.name} has no function called {metric}", f"it has {', '.join(metrics)}")
    # Not by number: a library may have changed how it numbers its releases, and a commit has no number.
    versions = list(reversed(manifest.versions))
    pins = {version.version: read_pin(manifest, version) for version in versions}
    unaccepted = [(manifest, version) for version in versions if pins[version.version] is None]
    found = {}
    if unaccepted:
        result = audit(unaccepted)
        found = {version.version: expectation_from(result, manifest, version) for _, version in unaccepted}
    names = [function.name for function in manifest.functions if metric in (None, function.metric)]
    computed = [found[name] if pin is None else pin for name, pin in pins.items()]
    return version_history(manifest.name, computed, names, set(found))


def newest_version(chosen: Sequence[tuple[Manifest, Version]]) -> tuple[Manifest, Version]:
    """Return the newest of these versions of one library that can be installed, or the newest if none can."""
    usable = [pair for pair in chosen if pair[1].unavailable is None] or list(chosen)
    newest = package_index.ordered(version.version for _, version in usable)[-1]
    return next(pair for pair in usable if pair[1].version == newest)


def pinned_or_audited(manifest: Manifest, version: Version, audit: Audit) -> VersionExpectation:
    """Return what a version computes: as its pin says, or as an audit finds now if it has none.

    Raises:
        UserError: if it has no pin and does not run.
    """
    found = read_pin(manifest, version) or expectation_from(audit([(manifest, version)]), manifest, version)
    if isinstance(found, Library):
        raise UserError(
            f"{manifest.name} {version.version} is {found.status}: {found.reason}", "choose another version"
        )
    return found


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


@dataclass(frozen=True)
class Upgrade:
    """The newest release of a library, compared with its last pinned version.

    Attributes:
        manifest: The library.
        last: The last pinned version.
        newest: The newest release on the package index.
        lock: The lock of the newest release, in the cache.
        drifts: The differences of the newest release from the last pinned version.
        same: The number of functions without a difference.
    """

    manifest: Manifest
    last: str
    newest: str
    lock: Path
    drifts: tuple[Drift, ...]
    same: int

    @property
    def title(self) -> str:
        """Return the library with both versions, as a heading."""
        return f"{self.manifest.title} {self.last} → {self.newest}"


def try_upgrade(manifest: Manifest, audit: Audit) -> Upgrade | None:
    """Lock and audit the newest release and compare it with the last pinned version; None if it is pinned already.

    Raises:
        UserError: if the index does not answer, the release cannot be locked, or the last pinned version was never
            accepted and does not run.
    """
    _, last = newest_version([(manifest, version) for version in manifest.versions if version.git is None])
    pinned = package_index.pinned(manifest)
    newest = package_index.ordered([*pinned, *package_index.on_index(manifest, last.python)])[-1]
    if newest in pinned:
        return None
    tried, version = package_index.trial(manifest, newest)
    before = pinned_or_audited(manifest, last, audit)
    result = audit([(tried, version)])
    drifts = tuple(drift_from(before, tried, version, result))
    drifted = {drift.function for drift in drifts}
    same = 0 if "" in drifted else sum(name not in drifted for name in before.functions)
    return Upgrade(manifest, last.version, newest, tried.lock_path(version), drifts, same)


_AT_ONCE = 8  # lookups


@dataclass(frozen=True)
class Newer:
    """Names a release of a library that is newer than all that are pinned."""

    library: str
    pinned: str
    newest: str


def newer_releases(manifests: Sequence[Manifest]) -> tuple[list[Newer], dict[str, str]]:
    """Look up which libraries have a release on the index that is newer than what is pinned, for any Python version.

    Libraries that come from repositories are left out. Needs a network.

    Returns:
        The newer releases, and why a library could not be looked up, by its name.

    Raises:
        UserError: if none could be looked up.
    """
    wanted = [each for each in manifests if each.source.package]
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        looked_up = list(threads.map(_newest_release, wanted))
    unknown = {
        each.name: found.message for each, found in zip(wanted, looked_up, strict=True) if isinstance(found, UserError)
    }
    if wanted and len(unknown) == len(wanted):
        raise next(found for found in looked_up if isinstance(found, UserError))
    pinned = [package_index.pinned(each)[-1] for each in wanted]
    rows = zip(wanted, pinned, looked_up, strict=True)
    newer = (
        Newer(each.name, own, newest)
        for each, own, newest in rows
        if isinstance(newest, str) and package_index.ordered([own, newest])[-1] != own
    )
    return list(newer), unknown


def _newest_release(manifest: Manifest) -> str | UserError:
    try:
        return package_index.on_index(manifest, None)[-1]
    except UserError as error:
        return error


def add_version(found: Upgrade) -> tuple[Path, Path]:
    """Add the newest release to ``library.toml``, with its lock, and return both files.

    Its ``[[version]]`` is a copy of the last pinned version's.

    Raises:
        UserError: if the adapter lies in an installed package, or its file is not written as expected.
    """
    manifest = found.manifest
    discovery.refuse_installed(manifest.folder)
    toml = manifest.folder / FILE
    text = with_version(toml.read_text(encoding="utf-8"), found.last, found.newest, toml)
    lock = manifest.folder / "locks" / found.lock.name
    replace_file(lock, found.lock.read_text(encoding="utf-8"))
    replace_file(toml, text)
    return toml, lock


def with_version(text: str, last: str, newest: str, path: Path) -> str:
    """Return the text of ``library.toml`` with a block for `newest` above the one for `last`, else unchanged.

    Args:
        text: the present text.
        last: the version whose block is copied, less comments and ``exclude_newer``.
        newest: the version to add.
        path: the file, for the error.

    Raises:
        UserError: if there is no such block, or the new text would not parse as intended.
    """
    lines = text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.strip() == "[[version]]"]
    for start in starts:
        later = range(start + 1, len(lines))
        other = (i for i in later if lines[i].startswith("[") and not lines[i].startswith("[version."))
        end = next(other, len(lines))
        block = lines[start:end]
        if f'version = "{last}"\n' in block:
            added = [line for line in block if not line.startswith(("#", "exclude_newer"))]
            added[added.index(f'version = "{last}"\n')] = f'version = "{newest}"\n'
            made = "".join([*lines[:start], *added, *lines[start:]])
            if _versions(made) == [name for v in _versions(text) for name in ([newest, v] if v == last else [v])]:
                return made
    raise UserError(f"{path}: [[version]] {last} is not written as expected", f"add version {newest} to it by hand")


def _versions(text: str) -> list[str]:
    return [entry["version"] for entry in tomllib.loads(text)["version"]]
