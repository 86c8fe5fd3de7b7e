"""``audit try``: ten plain cases put to an adapter's functions, to see in seconds whether it is sane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recsys_metric_audit.audit.cli.shared.exit_codes import DRIFTED, NOT_AUDITED
from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries, function_of
from recsys_metric_audit.audit.cli.shared.options import Adapters, Timeout
from recsys_metric_audit.audit.cli.shared.safe_text import say

if TYPE_CHECKING:
    from recsys_metric_audit.audit.libraries.function import Function
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version


def try_(
    subject: Annotated[
        str,
        typer.Argument(metavar="LIBRARY[==VERSION][:FUNCTION]", help="A library, or one of its functions."),
    ],
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Try an adapter on ten plain cases.

    Shows for one function each value that it returned beside the canonical value and that of the nearest formula; for
    a library a line for each function. Says whether the adapter is sane: a perfect list counts for more than the same
    list reversed, a hit below the cut-off for nothing, the cut-off cuts where it should, and nothing contradicts the
    contract that library.toml declares. Exit code 1: it is not; 3: nothing could be run.

    \b
    Examples:
      audit try rs_metrics
      audit try rs_metrics:ndcg
      audit try mine:mine.metrics.recall --adapters my-adapters
    """
    from recsys_metric_audit.audit.authoring.adapter_trial import try_functions
    from recsys_metric_audit.audit.authoring.trial_text import trial_lines
    from recsys_metric_audit.audit.authoring.try_version import answering

    manifest, version, functions = _chosen(all_libraries(adapters), subject)
    say(f"{manifest.name} {version.version}: {len(functions)} of {len(manifest.functions_of(version))} functions")
    with answering(manifest, version, timeout, lambda step: say(f"  {step}", err=True)) as responder:
        trial = try_functions(functions, responder)
    say("\n".join(trial_lines(trial)))
    if not any(each.measured for each in trial.functions):
        raise typer.Exit(NOT_AUDITED)
    if not trial.sane:
        raise typer.Exit(DRIFTED)


def _chosen(manifests: dict[str, Manifest], subject: str) -> tuple[Manifest, Version, tuple[Function, ...]]:
    """Return the library, its first version of that name, and the functions that the user named."""
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.audit.libraries.discovery import select

    library, colon, name = subject.partition(":")
    manifest, version = select(manifests, [library])[0]
    if colon:
        return manifest, version, (function_of(manifest, version, name),)
    if not manifest.functions_of(version):
        raise UserError(f"{manifest.folder / 'library.toml'} names no function", "adapters/README.md describes it")
    return manifest, version, manifest.functions_of(version)
