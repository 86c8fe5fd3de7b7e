"""The row of a library version in the result: where it comes from, what was installed, and how its audit ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
from recsys_metric_audit.audit.process.protocol import Conversation
from recsys_metric_audit.audit.responders.interface import Responder
from recsys_metric_audit.reports.model.result import Finding, Library
from recsys_metric_audit.reports.wording.formatting import one_line


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
