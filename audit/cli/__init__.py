"""The command line: this file knows the verbs, each verb has a file of its own, nothing heavy is imported here."""

from __future__ import annotations

import signal
from importlib.metadata import version as version_of
from types import FrameType
from typing import Annotated

import typer

from audit.cli import (
    accept,
    badge,
    check,
    compare,
    explain,
    history,
    identify,
    libraries,
    lock,
    paper,
    report,
    reproduce,
    run,
    sources,
    table,
)  # fmt: skip
from audit.cli.group import Commands

_ABOUT = """\
Finds out by experiment what each recommender-system library's metrics really compute.

Runs the libraries on the same fixed predictions, each in its own locked environment, and names the one definition
that fits what they return.

\b
Examples:
  audit run                                  all libraries on MovieLens-100K
  audit run -l rs_metrics==0.6.0 -k 10       one version, another cut-off
  audit run --predictions p.csv --truth t.csv --train r.csv
  audit list                                 libraries, versions, environments
  audit report audit-report                  the tables of an audit again
  audit compare old-report new-report        what changed between two audits
  audit check -l rs_metrics==0.6.0           does it still compute what was accepted?
  audit identify metrics.py:ndcg --metric ndcg    what does a function of your own compute?
  audit explain 'ndcg@20|gain:exp2'          formula, sources and a worked example of a definition
  audit paper                                is what the paper says of the libraries so?
"""

_ENDING = """\
\b
Exit codes:
  0    done
  1    what was found is not what was expected (check, accept, lock --upgrade, identify --expect)
  2    bad usage or bad input
  3    a library named with -l could not be run, or none could
  70   a fault of this tool
  130  interrupted
"""

# Rich's help would cost as much as all the rest of a call together.
app = typer.Typer(
    cls=Commands,
    help=_ABOUT,
    epilog=_ENDING,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command("run")(run.run)
app.command("list")(libraries.show)
app.command("lock")(lock.lock)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("reproduce")(reproduce.reproduce)
app.command("check")(check.check)
app.command("accept")(accept.accept)
app.command("fetch")(sources.fetch)
app.command("record")(sources.record)
app.command("history")(history.history)
app.command("bisect")(history.bisect)
app.command("identify")(identify.identify)
app.command("badge")(badge.badge)
app.command("explain")(explain.explain)
app.command("definitions")(explain.definitions)
app.command("paper")(paper.paper)
app.command("table")(table.table)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"audit {version_of('recsys-metric-audit')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    pass


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """The console script; always ends in ``SystemExit`` with one of the documented exit codes."""
    # A polite kill ends as Ctrl-C does: children are stopped, nothing half-written stays.
    signal.signal(signal.SIGTERM, _interrupt)
    app(prog_name="audit")
