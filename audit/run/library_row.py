"""The row of a library version in the result: where it comes from, what was installed, and how its audit ended."""

from __future__ import annotations

from typing import Any

from audit.libraries.manifest import Manifest, Version
from audit.process.protocol import Conversation
from audit.responders.interface import Responder
from reports.model.result import Library


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
    manifest: Manifest, version: Version, conversation: Conversation, responder: Responder, fault: str | None
) -> Library:
    """Return the row of a version that was asked; it failed if its adapter never answered or is suspected.

    Args:
        manifest: the library.
        version: one of its versions.
        conversation: the first conversation with it.
        responder: what answered.
        fault: why its adapter is suspected to be wrong, or None.
    """
    hello = conversation.hello
    outcome = {"status": "audited" if fault is None else "failed", "reason": fault}
    if hello is None:
        outcome = {"status": "failed", "reason": "its adapter did not answer at all", "log": conversation.stderr}
    return _row(
        manifest, version, python=hello.python if hello else version.python,
        installed=dict(hello.installed) if hello else {},
        seconds=(conversation.seconds or None) if responder.live else None, live=responder.live,
        recorded=responder.recorded_on, kept=responder.cached_on, caution=responder.caution, **outcome,
    )  # fmt: skip


def _row(manifest: Manifest, version: Version, **outcome: Any) -> Library:
    return Library(
        library=manifest.name, title=manifest.title, version=version.version, about=manifest.about,
        group=manifest.library_group, homepage=manifest.homepage, source=manifest.origin(version),
        stubs=dict(version.stubs), out_of_scope=dict(manifest.out_of_scope),
        claims={each.name: each.where for each in manifest.functions_of(version) if each.where},
        **outcome,
    )  # fmt: skip
