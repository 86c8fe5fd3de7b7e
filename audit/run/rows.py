"""The rows of a result besides its findings: the dataset, our own values on it, and a row for each library version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from recsys_metric_audit.audit.data.dataset import Dataset as Data
from recsys_metric_audit.audit.data.synthetic import with_train_rows
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Conversation
from recsys_metric_audit.audit.questions.own_data import changed_data
from recsys_metric_audit.audit.responders.interface import Responder
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.engines.kept_means import keep_means, mean_of
from recsys_metric_audit.reference.engines.user_blocks import parts_of
from recsys_metric_audit.reference.evaluation.evaluate import Problem
from recsys_metric_audit.reference.evaluation.unidentified_axes import unidentified_axes
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reports.model.result import Dataset, Finding, Library, Reference
from recsys_metric_audit.reports.wording.formatting import one_line


def dataset_row(data: Data, canonical: Mapping[str, Definition]) -> Dataset:
    """Return the dataset as the result describes it; definitions that replace canonical ones are choices, too."""
    shape = data.shape
    overridden = tuple(
        f"{metric} is held against {definition}, not against its canonical definition; signatures stay relative to"
        f" {Definition.of(metric)}"
        for metric, definition in canonical.items()
    )
    return Dataset(
        name=data.name, digest=f"sha256:{data.digest}", users=shape.users, items=shape.items, pairs=shape.pairs,
        rows=shape.rows, choices={str(number): text for number, text in enumerate((*data.choices, *overridden), 1)},
        facts=tuple(fact.text for fact in data.facts),
    )  # fmt: skip


def reference_rows(data: Problem, request: Request) -> tuple[Reference, ...]:
    """Return the canonical values that functions are held against, at every cut-off, for every recommender of the run.

    On millions of rows each takes time: they are those of the metrics that the chosen versions offer, or of all metrics
    where no version was chosen.

    Args:
        data: the data of the request.
        request: the request; its definitions take the place of canonical ones.
    """
    others = {name: Problem.of([case], None) for name, case in request.others.items()}
    keep_means(*(pair for each in (data, *others.values()) for pair in wanted_means(each, request)))
    rows = []
    for metric, canonical in _canonical(request).items():
        own = changed_data(with_train_rows, data) if _of_items(metric) else data
        for k in request.ks if canonical.k is not None else (None,):
            definition = canonical if k is None else canonical.with_(k=k)
            value = mean_of(definition, own.at(k))
            further = {name: mean_of(definition, problem.at(k)) for name, problem in others.items()}
            rows.append(
                Reference(
                    metric=metric, k=k, signature=definition.signature(), definition=definition.axes, value=value,
                    by_recommender={request.recommender: value, **further} if further else {},
                )
            )  # fmt: skip
    return tuple(rows)


@lru_cache(maxsize=1)
def blind_axes(data: Problem, k: int) -> dict[str, str]:
    """Return the axes that the data cannot identify at a cut-off, each with the reason."""
    return unidentified_axes(parts_of(data.at(k)))


def wanted_means(data: Problem, request: Request) -> list[tuple[Problem, list[Definition]]]:
    """Return the data at each cut-off, with the definitions whose means on them :func:`reference_rows` tells."""
    of_relevance = [each for metric, each in _canonical(request).items() if not _of_items(metric)]
    return [(data.at(k), of_relevance) for k in request.ks]


def _canonical(request: Request) -> dict[str, Definition]:
    """Return the canonical definitions of a request, by metric."""
    functions = [each for manifest, version in request.chosen for each in manifest.functions_of(version)]
    offered = {each.metric for each in functions} or set(METRICS)
    return {each: request.canonical.get(each, Definition.of(each)) for each in FAMILIES if each in offered}


def _of_items(metric: str) -> bool:
    """Return True if a metric reads which items are shown, not which are relevant."""
    return FAMILIES[metric].reads != "relevance"


def unavailable_row(manifest: Manifest, version: Version, reason: str, log: str) -> Library:
    """Return the row of a version for which nothing can answer.

    Args:
        manifest: the library.
        version: one of its versions.
        reason: why nothing can answer.
        log: the last lines of the attempt to build its environment; empty if there was none.
    """
    return _row(manifest, version, python=version.python, live=True, status="unavailable", reason=reason, log=log)


def audited_row(
    manifest: Manifest, version: Version, conversation: Conversation, responder: Responder, fault: str | None,
    findings: Sequence[Finding],
) -> Library:  # fmt: skip
    """Return the row of a version that was asked.

    It failed if its adapter never answered or is suspected, or if none of its functions could be measured.

    Args:
        manifest: the library.
        version: one of its versions.
        conversation: the first conversation with it.
        responder: what answered.
        fault: why its adapter is suspected to be wrong, or None.
        findings: what was found of its functions.
    """
    hello = conversation.hello
    outcome: dict[str, str | None] = {"status": "audited" if fault is None else "failed", "reason": fault}
    if fault is None and findings and not any(each.status == "measured" for each in findings):
        outcome = _nothing_measured(findings) | {"log": conversation.stderr}
    if hello is None:
        outcome = {"status": "failed", "reason": "its adapter did not answer at all", "log": conversation.stderr}
    return _row(
        manifest, version, python=hello.python if hello else version.python,
        installed=dict(hello.installed) if hello else {},
        seconds=(conversation.seconds or None) if responder.live else None, live=responder.live,
        recorded=responder.recorded_on, kept=responder.cached_on, caution=responder.caution, **outcome,
    )  # fmt: skip


def _nothing_measured(findings: Sequence[Finding]) -> dict[str, str | None]:
    """Return status and reason of a version of which nothing was measured; the reason is that of most functions."""
    (said, times), *others = Counter((each.status, one_line(each.reason or "")) for each in findings).most_common()
    status, why = said
    how_often = f" ({times} of {len(findings)} findings)" if others else ""
    word = "" if status in ("failed", "unavailable") else f"{status.replace('_', ' ')}: "
    unavailable = all(each.status == "unavailable" for each in findings)
    return {
        "status": "unavailable" if unavailable else "failed",
        "reason": f"no function could be measured: {word}{why}{how_often}",
    }


def _row(manifest: Manifest, version: Version, **outcome: Any) -> Library:
    return Library(
        library=manifest.name, title=manifest.title, version=version.version, about=manifest.about,
        group=manifest.library_group, homepage=manifest.homepage, source=manifest.origin(version),
        stubs=dict(version.stubs), out_of_scope=dict(manifest.out_of_scope),
        claims={each.name: each.where for each in manifest.functions_of(version) if each.where},
        **outcome,
    )  # fmt: skip
