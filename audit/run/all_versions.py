"""The audit of all chosen versions, several at a time, and the result that it makes."""

from __future__ import annotations

import platform
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version as installed_version

from audit.behaviours.experiments import EXPERIMENTS
from audit.environments import uv
from audit.identification.process_pool import process_pool
from audit.libraries.manifest import Manifest, Version
from audit.responders.choice import FindResponder, find_responder
from audit.run.dataset_rows import dataset_row, reference_rows
from audit.run.progress import Progress
from audit.run.request import Request
from audit.run.version_audit import Shared, VersionResult, audit_version
from reference.evaluation.evaluate import Problem
from reference.evaluation.unidentified_axes import unidentified_axes
from reports.model.result import Result


def run(request: Request, progress: Progress, find: FindResponder = find_responder) -> Result:
    """Audit every chosen library version and return the result.

    A version that cannot run keeps its rows in the result, with the reason.

    Args:
        request: what to audit.
        progress: is told what happens to each version.
        find: chooses the responder of a version.
    """
    data = Problem.of([request.dataset.case], None)
    with process_pool(request.dataset.case, request.jobs, data) as processes:
        audited = _audit_all(Shared(request, processes, progress, find))
    return Result(
        tool=installed_version("recsys-metric-audit"), platform=platform.platform(), command=request.command,
        dataset=dataset_row(request.dataset, request.canonical), k=request.ks, reference=reference_rows(data, request),
        recommenders=(request.recommender, *request.others) if request.recommender else (),
        libraries=tuple(library for library, _ in audited),
        findings=tuple(finding for _, findings in audited for finding in findings), experiments=EXPERIMENTS,
        blind=unidentified_axes(data.at(max(request.ks))),
    )  # fmt: skip


def _audit_all(shared: Shared) -> list[VersionResult]:
    """Audit every chosen version; return the results in the order of the request."""
    request = shared.request
    threads = ThreadPoolExecutor(max_workers=max(1, request.jobs))
    try:
        pending = {_key(pair): threads.submit(audit_version, *pair, shared) for pair in in_starting_order(request)}
        return [pending[_key(pair)].result() for pair in request.chosen]
    except BaseException:
        shared.threads.stop(shared.processes.end, uv.end_running)
        raise
    finally:
        threads.shutdown(wait=True, cancel_futures=True)


def in_starting_order(request: Request) -> list[tuple[Manifest, Version]]:
    """Return the chosen versions in the order in which they start: slow ones last, so that no quick one waits."""
    return sorted(request.chosen, key=lambda pair: (pair[1].heavy is not None, pair[1].torch is not None))


def _key(pair: tuple[Manifest, Version]) -> tuple[str, str]:
    return pair[0].name, pair[1].version
