"""``audit badge``: what a library means by a metric, as a badge for its README."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries
from recsys_metric_audit.audit.cli.shared.options import Adapters, OutFile, Timeout
from recsys_metric_audit.audit.cli.shared.safe_text import say, show

if TYPE_CHECKING:
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version


class Format(StrEnum):
    """The formats of a badge."""

    svg = "svg"
    json = "json"


def badge(
    library: Annotated[
        str, typer.Argument(metavar="LIBRARY[==VERSION]", help="A library. Default version: the newest pinned one.")
    ],
    metric: Annotated[str, typer.Option(metavar="NAME", help="A metric: ndcg, recall, ...")],
    form: Annotated[
        Format, typer.Option("--format", help="An image, or JSON for the endpoint badges of shields.io.")
    ] = Format.svg,
    out: OutFile = None,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Draw a badge of what a library means by a metric.

    An accepted version is read from its pin; another one is audited.

    \b
    Examples:
      audit badge rs_metrics --metric ndcg --out ndcg.svg
      audit badge recbole==1.2.1 --metric ndcg --format json
    """
    from recsys_metric_audit.audit.cli.progress.audit_with_progress import audit_with_progress
    from recsys_metric_audit.audit.libraries.discovery import select
    from recsys_metric_audit.audit.pins.releases_history import newest_version, pinned_or_audited
    from recsys_metric_audit.reports.pins.badge_text import as_endpoint, as_svg, default_function
    from recsys_metric_audit.reports.pins.badge_text import badge as badge_text

    manifest, version = newest_version(select(all_libraries(adapters), [library]))
    _refuse_unknown(manifest, version, metric)
    found = pinned_or_audited(manifest, version, lambda chosen: audit_with_progress(chosen, None, timeout))
    render = as_svg if form is Format.svg else as_endpoint
    text = render(badge_text(metric, default_function(found, metric)))
    if out is None:
        show(text, nl=False)
        return
    _write(out, text)
    say(f"written: {out}", err=True)


def _refuse_unknown(manifest: Manifest, version: Version, metric: str) -> None:
    from recsys_metric_audit.audit.errors import UserError

    known = dict.fromkeys(function.metric for function in manifest.functions_of(version))
    if metric not in known:
        raise UserError(
            f"{manifest.name} {version.version} has no function called {metric}", f"it has {', '.join(known)}"
        )


def _write(path: Path, text: str) -> None:
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.reports.model.atomic_write import replace_file

    try:
        replace_file(path, text)
    except OSError as error:
        raise UserError(f"--out {path}: cannot be written ({error.strerror})", "choose another file") from error
