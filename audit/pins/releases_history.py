"""Compares the meanings of a library's functions over its pinned versions."""

from __future__ import annotations

from collections.abc import Sequence

from recsys_metric_audit.audit.environments import package_index
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.pins.pin_audit import Audit, expectation_from
from recsys_metric_audit.audit.pins.pin_file import read_pin
from recsys_metric_audit.reports.model.result import Library
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
    found: dict[str, VersionExpectation | Library] = {}
    for version in versions:
        pin = read_pin(manifest, version)
        if pin is not None:
            found[version.version] = pin
    unaccepted = [(manifest, version) for version in versions if version.version not in found]
    result = audit(unaccepted) if unaccepted else None
    for _, version in unaccepted:
        assert result is not None
        found[version.version] = expectation_from(result, manifest, version)
    names = [function.name for function in manifest.functions if metric in (None, function.metric)]
    audited = {version.version for _, version in unaccepted}
    return version_history(manifest.name, [found[each.version] for each in versions], names, audited)


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
