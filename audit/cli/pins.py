"""The audit behind the verbs that compare meanings, with its progress in sight."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.libraries.manifest import Manifest, Version
    from reports.model.result import Result


def audited(chosen: Sequence[tuple[Manifest, Version]], jobs: int | None, timeout: float) -> Result:
    """What these versions compute today; progress goes to stderr.

    Raises :class:`~audit.errors.UserError` for limits that are none.
    """
    from rich.console import Console

    from audit.cli import inputs
    from audit.cli.progress import watch
    from audit.pins import pin
    from audit.process.protocol import Limits

    workers = (os.cpu_count() or 1) if jobs is None else jobs
    inputs.positive("--jobs", workers)
    inputs.positive("--timeout", timeout)
    with watch(Console(stderr=True), len(chosen)) as progress:
        return pin.audited(chosen, workers, Limits(seconds=timeout), progress)
