"""``audit record``: record the answers of checkouts, so that runs without a checkout can replay them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries
from recsys_metric_audit.audit.cli.shared.options import Adapters, Sources, Timeout
from recsys_metric_audit.audit.cli.shared.safe_text import say
from recsys_metric_audit.audit.cli.shared.standard_streams import make_console

if TYPE_CHECKING:
    from recsys_metric_audit.audit.pins.renew_recordings import Recorded
    from recsys_metric_audit.audit.run import Request


def record(
    libraries: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME[==VERSION]]...", help="Libraries or versions. Default: all that have a checkout."
        ),
    ] = None,
    source: Sources = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail unless the answers are the same to the last bit.")
    ] = False,
    timeout: Timeout = 120.0,
    adapters: Adapters = None,
) -> None:
    """Record the answers of libraries from checkouts.

    A library that comes from a repository is run from its checkout on the probe inputs and the default datasets.
    `audit run` replays the recording if there is no checkout.

    \b
    Examples:
      audit record --source elliot=checkouts/elliot-0.3.1 --source neurec=checkouts/neurec
      audit record elliot==0.3.1 --check --source elliot=checkouts/elliot-0.3.1
    """
    from recsys_metric_audit.audit.cli.shared.run_inputs import check_positive, parse_sources
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.audit.libraries.discovery import select
    from recsys_metric_audit.audit.pins import renew_recordings

    check_positive("--timeout", timeout)
    request = renew_recordings.request(
        select(all_libraries(adapters), libraries or ()), parse_sources(source or []), bool(libraries), timeout,
        os.cpu_count() or 1,
    )  # fmt: skip
    recorded = _record_with_progress(request)
    faults = [fault for each in recorded for fault in (each.differences() if check else each.write())]
    for each in recorded if not faults else ():
        say(f"{each.path}: {'the same' if check else 'written'}")
    if faults:
        raise UserError("\n".join(faults), "renew what changed for a reason: audit record NAME --source NAME=DIR")


def _record_with_progress(request: Request) -> list[Recorded]:
    from recsys_metric_audit.audit.cli.progress.watch import watch
    from recsys_metric_audit.audit.pins import renew_recordings

    with watch(make_console(stderr=True), request.chosen) as progress:
        return renew_recordings.record(request, progress)
