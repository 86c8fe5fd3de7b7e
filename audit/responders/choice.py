"""Choosing the responder of a library version.

A version from the package index is always run, with the package of a folder that was given in place of its own. One
from a repository is run from a checkout that was given or fetched; without one its recording is replayed; without a
recording nothing answers, and its row says what is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.environments.repair import Repair
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.responders.cache import AnswerCache, CachedLibrary
from recsys_metric_audit.audit.responders.interface import NoResponder, Responder
from recsys_metric_audit.audit.responders.live import LiveLibrary
from recsys_metric_audit.audit.responders.recorder import Recorder
from recsys_metric_audit.audit.responders.replay import open_recording
from recsys_metric_audit.audit.sources import checkout as checkouts
from recsys_metric_audit.audit.sources.checkout import Checkouts

FindResponder = Callable[[Manifest, Version, Checkouts, Limits, environment.Progress], Responder]
"""Chooses the responder of a version; signature of :func:`find_responder`."""


def find_responder(
    manifest: Manifest, version: Version, given: Checkouts, limits: Limits, progress: environment.Progress
) -> Responder:
    """Return the live library or the recording that answers for `version`.

    Args:
        manifest: the library.
        version: one of its versions.
        given: the checkouts that the user gave.
        limits: what one child may take; a version's own timeout may raise the seconds.
        progress: hears each step of building an environment, in words.

    Raises:
        NoResponder: if there is neither.
        environment.BuildFailed: if its environment cannot be built.
    """
    try:
        checkout = _checkout(manifest, version, given)
        if checkout is not None or version.git is None:
            return _live(manifest, version, checkout, limits, progress)
        return open_recording(manifest, version)
    except UserError as error:
        raise NoResponder(error.message, error.hint) from error


def find_cached_responder(
    manifest: Manifest, version: Version, given: Checkouts, limits: Limits, progress: environment.Progress
) -> Responder:
    """Choose as :func:`find_responder` does; a library in an environment that we built gets a cache.

    Checkouts are never cached: they can change while they are used. Nor is what a sandbox may have changed.
    """
    responder = find_responder(manifest, version, given, limits, progress)
    if not isinstance(responder, LiveLibrary) or responder.checkout is not None or limits.sandbox is not None:
        return responder
    if not responder.adapter.is_file():
        raise NoResponder(f"its adapter {responder.adapter} is not there", "library.toml names the file that calls it")
    folder = responder.python.parent.parent
    if not (folder / environment.MARKER).is_file():
        return responder
    return CachedLibrary(responder, AnswerCache.open(folder, manifest.name, version.version, responder.adapter))


def find_recorder(
    manifest: Manifest, version: Version, given: Checkouts, limits: Limits, progress: environment.Progress
) -> Recorder:
    """Return a recorder of `version`, run from a checkout of its pinned commit.

    Raises:
        NoResponder: if there is no such checkout.
        environment.BuildFailed: if its environment cannot be built.
    """
    name = f"{manifest.name}=={version.version}"
    try:
        checkout = _checkout(manifest, version, given)
    except UserError as error:
        raise NoResponder(error.message, error.hint) from error
    if checkout is None:
        raise NoResponder(f"{name} can only be recorded from a checkout", f"audit record {name} --source {name}=DIR")
    return Recorder(_live(manifest, version, checkout, limits, progress))


def _checkout(manifest: Manifest, version: Version, given: Checkouts) -> checkouts.Checkout | None:
    return given.get((manifest.name, version.version)) or checkouts.find_fetched(manifest, version)


def _live(
    manifest: Manifest, version: Version, checkout: checkouts.Checkout | None, limits: Limits,
    progress: environment.Progress,
) -> LiveLibrary:  # fmt: skip
    built = environment.ensure(manifest, version, progress=progress)
    own = replace(limits, seconds=max(limits.seconds, version.timeout or 0))
    repair = Repair(manifest, version, built, progress)
    return LiveLibrary(
        built.python, manifest.adapter_path(version), tuple(version.stubs), own, checkout,
        repair=repair if (built.folder / environment.MARKER).is_file() else None, means=manifest.means_path(version),
    )  # fmt: skip
