"""Showing the progress of an audit on stderr."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

from recsys_metric_audit.audit.cli.progress.heartbeat import heartbeat
from recsys_metric_audit.audit.cli.progress.progress_bars import ProgressBars, make_bars
from recsys_metric_audit.audit.cli.progress.progress_lines import ProgressLines
from recsys_metric_audit.audit.cli.progress.progress_tally import ProgressTally

if TYPE_CHECKING:
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
    from recsys_metric_audit.audit.run import Progress


@contextmanager
def watch(console: Console, chosen: Sequence[tuple[Manifest, Version]]) -> Iterator[Progress]:
    """Show how far an audit is for as long as the block runs: bars on a terminal, else a few lines.

    Args:
        console: where to; the one of stderr.
        chosen: the library versions that are audited.
    """
    tally = ProgressTally(
        {(manifest.name, version.version): max(1, len(manifest.functions_of(version))) for manifest, version in chosen}
    )
    if not console.is_terminal:
        lines = ProgressLines(console, tally)
        with heartbeat(lines.still):
            yield lines
        return
    with make_bars(console) as bars:
        yield ProgressBars(bars, tally)
