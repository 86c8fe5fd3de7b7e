"""The audit on the data of the pins, with its progress on stderr: for commands that compare definitions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from recsys_metric_audit.audit.cli.shared.standard_streams import make_console

if TYPE_CHECKING:
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
    from recsys_metric_audit.audit.sources.checkout import Checkouts
    from recsys_metric_audit.reports.model.result import Result


def audit_with_progress(
    chosen: Sequence[tuple[Manifest, Version]], jobs: int | None, timeout: float, sources: Checkouts | None = None
) -> Result:
    """Audit library versions on the data of the pins.

    Args:
        chosen: the versions.
        jobs: how many are audited at a time; None for the number of CPU cores.
        timeout: seconds that one call may take.
        sources: the folders that the user gave, by library and version.

    Raises:
        UserError: if `jobs` or `timeout` is not above 0.
    """
    from recsys_metric_audit.audit.cli.progress.watch import watch
    from recsys_metric_audit.audit.cli.shared.run_inputs import check_positive
    from recsys_metric_audit.audit.pins.pin_audit import audit_for_pins
    from recsys_metric_audit.audit.process.protocol import Limits

    workers = (os.cpu_count() or 1) if jobs is None else jobs
    check_positive("--jobs", workers)
    check_positive("--timeout", timeout)
    with watch(make_console(stderr=True), chosen) as progress:
        return audit_for_pins(chosen, workers, Limits(seconds=timeout), progress, sources or {})
