"""The audit of all chosen versions, several at a time, and the result that it makes."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from importlib.metadata import version as installed_version
from types import MappingProxyType

from recsys_metric_audit.audit.behaviours.experiments import EXPERIMENTS
from recsys_metric_audit.audit.environments import uv
from recsys_metric_audit.audit.identification.process_pool import process_pool
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.responders.choice import FindResponder, find_responder
from recsys_metric_audit.audit.run.building_ahead import BuildingAhead
from recsys_metric_audit.audit.run.recorded_findings import RecordedVersion
from recsys_metric_audit.audit.run.request import Progress, Request
from recsys_metric_audit.audit.run.rows import blind_axes, dataset_row, reference_rows
from recsys_metric_audit.audit.run.version_audit import Shared, VersionResult, audit_version
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.wording.library_groups import LIBRARY_GROUPS


class AuditInterrupted(KeyboardInterrupt):
    """Tells that an audit was interrupted, and holds what it found before.

    Attributes:
        finished: Makes the result of the versions that were finished, which may take a while on large data.
    """

    def __init__(self, finished: Callable[[], Result]) -> None:
        super().__init__()
        self.finished = finished


def run(
    request: Request, progress: Progress, find: FindResponder = find_responder,
    recorded: Mapping[tuple[str, str], RecordedVersion] = MappingProxyType({}),
) -> Result:  # fmt: skip
    """Audit every chosen library version and return the result.

    A version that cannot run keeps its rows in the result, with the reason.

    Args:
        request: what to audit.
        progress: is told what happens to each version.
        find: chooses the responder of a version.
        recorded: what was recorded of versions; it is taken over where their initial answers are the recorded ones.

    Raises:
        AuditInterrupted: on an interrupt; it makes the result of the versions that were finished.
    """
    data, finished = Problem.of([request.dataset.case], None), dict[tuple[str, str], VersionResult]()
    try:
        with process_pool(request.dataset.case, request.jobs, data) as processes:
            _audit_all(Shared(request, processes, progress, find, recorded), finished)
    except KeyboardInterrupt:
        raise AuditInterrupted(partial(_result, request, data, finished)) from None
    return _result(request, data, finished)


def _result(request: Request, data: Problem, finished: Mapping[tuple[str, str], VersionResult]) -> Result:
    audited = [finished[_key(pair)] for pair in request.chosen if _key(pair) in finished]
    return Result(
        tool=installed_version("recsys-metric-audit"), platform=platform.platform(), command=request.command,
        dataset=dataset_row(request.dataset, request.canonical), k=request.ks, reference=reference_rows(data, request),
        recommenders=(request.recommender, *request.others) if request.recommender else (),
        libraries=tuple(library for library, _ in audited),
        findings=tuple(finding for _, findings in audited for finding in findings), experiments=EXPERIMENTS,
        blind=blind_axes(data, max(request.ks)),
    )  # fmt: skip


def _audit_all(shared: Shared, finished: dict[tuple[str, str], VersionResult]) -> None:
    """Audit every chosen version, and put its result where the finished ones are, whatever ends the others."""
    request, pairs = shared.request, in_starting_order(shared.request)
    threads = ThreadPoolExecutor(max_workers=max(1, request.jobs))
    ahead = None

    def audit(manifest: Manifest, version: Version) -> None:
        finished[_key((manifest, version))] = audit_version(manifest, version, shared)

    # One at a time is one at a time; and where environments are removed, the disk is small.
    if request.jobs > 1 and not request.remove_environments:
        ahead = BuildingAhead(shared.find, request, pairs, shared.progress, shared.threads)
        shared = replace(shared, find=ahead)
    try:
        for version in [threads.submit(audit, *pair) for pair in pairs]:
            version.result()
    except BaseException:
        shared.threads.stop(shared.processes.end, uv.end_running)
        raise
    finally:
        if ahead is not None:
            ahead.close()
        threads.shutdown(wait=True, cancel_futures=True)


def in_starting_order(request: Request) -> list[tuple[Manifest, Version]]:
    """Return the chosen versions in the order in which they start: slow ones last, the newest of a library first.

    Of these, libraries of the group that a large run's tables show come first: who waits sees these rows settled. What
    is replayed comes after what is built, so that the last one does not wait alone.
    """
    groups = ["", *LIBRARY_GROUPS]
    newest = dict[str, Version]()
    for manifest, version in request.chosen:
        newest.setdefault(manifest.name, version)

    def waits(pair: tuple[Manifest, Version]) -> tuple[bool, bool, int, bool, bool]:
        manifest, version = pair
        group = groups.index(manifest.library_group)
        return (
            version.heavy is not None,
            newest[manifest.name] is not version,
            group,
            version.git is not None,
            version.torch is not None,
        )

    return sorted(request.chosen, key=waits)


def _key(pair: tuple[Manifest, Version]) -> tuple[str, str]:
    return pair[0].name, pair[1].version
