"""Builds environments a few versions ahead: the network and the disk are busy while libraries compute."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.process.stoppable import StoppableThreads, Stopped
from recsys_metric_audit.audit.responders.choice import FindResponder
from recsys_metric_audit.audit.responders.interface import Responder
from recsys_metric_audit.audit.run.request import READY, Progress, Request
from recsys_metric_audit.audit.sources.checkout import Checkouts

_WAIT = 0.1  # seconds until a thread that has no room looks again whether the run is to end


class BuildingAhead:
    """Finds the responders of versions in their order, in threads of its own; called as ``find`` is.

    At most two for each thread wait to be asked. Versions have to be asked for in that order.
    """

    def __init__(
        self, find: FindResponder, request: Request, pairs: Sequence[tuple[Manifest, Version]], progress: Progress,
        threads: StoppableThreads,
    ) -> None:  # fmt: skip
        """Start to find.

        Args:
            find: Chooses the responder of a version, and builds its environment.
            request: The request of the run; as many threads find as versions are audited at a time.
            pairs: The versions, in the order in which they will be asked for.
            progress: Is told the steps of each build.
            threads: The threads that are made to end when the run does.
        """
        self._find, self._request, self._progress, self._threads = find, request, progress, threads
        self._closing = threading.Event()
        self._room = threading.Semaphore(2 * request.jobs)
        self._pool = ThreadPoolExecutor(max_workers=request.jobs)
        self._found = {_name(*pair): self._pool.submit(self._one, *pair) for pair in pairs}

    def __call__(
        self, manifest: Manifest, version: Version, given: Checkouts, limits: Limits, progress: environment.Progress
    ) -> Responder:
        """Return the responder of a version, once it is found.

        Raises:
            NoResponder, BuildFailed: as ``find`` does.
        """
        found: Future[Responder] = self._found[_name(manifest, version)]
        try:
            return found.result()
        finally:
            del self._found[_name(manifest, version)]
            self._room.release()

    def close(self) -> None:
        """End the threads, and close what was found and never asked."""
        self._closing.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for found in list(self._found.values()):
            if found.done() and not found.cancelled() and found.exception() is None:
                found.result().close()

    def _one(self, manifest: Manifest, version: Version) -> Responder:
        while not self._room.acquire(timeout=_WAIT):
            if self._closing.is_set() or self._threads.stopping.is_set():
                raise Stopped
        told = False

        def tell(step: str) -> None:
            nonlocal told
            told = True
            self._progress.building(manifest.name, version.version, step)

        with self._threads.working():
            responder = self._find(manifest, version, self._request.sources, self._request.limits, tell)
            if told:
                self._progress.building(manifest.name, version.version, READY)
            return responder


def _name(manifest: Manifest, version: Version) -> tuple[str, str]:
    return manifest.name, version.version
