"""``audit show``: what a library, a function, a metric or a formula computes, and who computes it."""

from __future__ import annotations

from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.options import REPORT_FOLDER, Run
from recsys_metric_audit.audit.cli.shared.standard_streams import make_console


def show(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="LIBRARY[==VERSION] | LIBRARY[==VERSION]:FUNCTION | METRIC | SIGNATURE",
            help="What to show; FUNCTION may be the last part of its name, or a metric's name.",
        ),
    ],
    source: Run = None,
) -> None:
    """Show what libraries compute, and who computes what.

    Reads a run: nothing is built, no library is asked. Of a library, every formula with the functions that compute
    it; of a function, its formula, numbers, smallest input, since which version, and the calls of other libraries
    that compute the same; of a metric or a formula, who computes it.

    \b
    Examples:
      audit show rs_metrics
      audit show recbole:ndcg
      audit show ndcg
      audit show 'average_precision@k|denominator:r'
    """
    from recsys_metric_audit.audit.cli.shared.lookup import look_up
    from recsys_metric_audit.audit.cli.shared.shown_text import show_subject
    from recsys_metric_audit.reports.model.result_file import load_run

    run = load_run(source, REPORT_FOLDER)
    show_subject(look_up(subject, lambda: run), run, make_console())
