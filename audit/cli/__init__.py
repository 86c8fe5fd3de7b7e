"""The command line: one module a command, named after it; ``shared`` holds what several commands use.

Nothing heavy is imported before a command runs. May import every room.
"""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.accept import accept
from recsys_metric_audit.audit.cli.badge import badge
from recsys_metric_audit.audit.cli.bisect import bisect
from recsys_metric_audit.audit.cli.check import check
from recsys_metric_audit.audit.cli.compare import compare
from recsys_metric_audit.audit.cli.convert import convert
from recsys_metric_audit.audit.cli.definitions import definitions
from recsys_metric_audit.audit.cli.diff import diff
from recsys_metric_audit.audit.cli.evaluate import evaluate
from recsys_metric_audit.audit.cli.explain import explain
from recsys_metric_audit.audit.cli.fetch import fetch
from recsys_metric_audit.audit.cli.history import history
from recsys_metric_audit.audit.cli.identify import identify
from recsys_metric_audit.audit.cli.list_ import list_
from recsys_metric_audit.audit.cli.lock import lock
from recsys_metric_audit.audit.cli.new import new
from recsys_metric_audit.audit.cli.paper import paper
from recsys_metric_audit.audit.cli.probes import probes
from recsys_metric_audit.audit.cli.record import record
from recsys_metric_audit.audit.cli.report import report
from recsys_metric_audit.audit.cli.reproduce import reproduce
from recsys_metric_audit.audit.cli.run import run
from recsys_metric_audit.audit.cli.shared.command_group import CommandGroup
from recsys_metric_audit.audit.cli.shared.exit_codes import INTERRUPTED
from recsys_metric_audit.audit.cli.shared.safe_text import say
from recsys_metric_audit.audit.cli.shared.standard_streams import protect
from recsys_metric_audit.audit.cli.show import show
from recsys_metric_audit.audit.cli.table import table
from recsys_metric_audit.audit.cli.try_ import try_
from recsys_metric_audit.audit.cli.which import which
from recsys_metric_audit.audit.process.interrupts import listen

_ABOUT = """\
Find out by experiment what the metrics of recommender-system libraries compute.

Runs each library on the same fixed predictions, in a locked environment of its own, and names the definition that
fits what its functions return, as a signature such as ndcg@20|gain:exp2.

\b
Examples:
  audit run                                  audit all libraries on MovieLens-100K
  audit run -l rs_metrics==0.6.0 -k 10       one version, at another cut-off
  audit run --predictions p.csv --truth t.csv --train r.csv
  audit list                                 libraries, versions, environments
  audit report audit-report                  print the tables of an audit again
  audit compare old-report new-report        what changed between two audits?
  audit check -l rs_metrics==0.6.0           does it still compute what was accepted?
  audit identify metrics.py:ndcg --metric ndcg    what does a function of your own compute?
  audit which --metric ndcg -k 20 --value .1684   which definition gives this number?
  audit evaluate p.csv t.csv -k 10 --as recbole   metrics of your predictions, as a library computes them
  audit show recbole                         what a library computes, from the recorded run: nothing is built
  audit explain 'ndcg@20|gain:exp2'          formula, sources and an example of a definition
  audit paper                                does what the paper says of libraries hold?
"""

_EXIT_CODES = """\
\b
Exit codes:
  0    done
  1    what was found is not what was expected (check, accept, try, lock --upgrade, identify --expect, diff,
       report --verify)
  2    bad usage or bad input
  3    a library named with -l could not be run or measured, or none could
  4    no definition fits (which, identify), or nothing follows (convert)
  70   a fault of this tool
  130  interrupted
"""

# Rich's help would take as long as all the rest of a call together.
app = typer.Typer(
    cls=CommandGroup,
    help=_ABOUT,
    epilog=_EXIT_CODES,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
# In the order in which a newcomer meets them; help lists them so.
app.command("run")(run)
app.command("report")(report)
app.command("compare")(compare)
app.command("show")(show)
app.command("explain")(explain)
app.command("definitions")(definitions)
app.command("evaluate")(evaluate)
app.command("identify")(identify)
app.command("probes")(probes)
app.command("which")(which)
app.command("convert")(convert)
app.command("diff")(diff)
app.command("reproduce")(reproduce)
app.command("list")(list_)
app.command("check")(check)
app.command("accept")(accept)
app.command("history")(history)
app.command("bisect")(bisect)
app.command("badge")(badge)
app.command("paper")(paper)
app.command("table")(table)
app.command("new")(new)
app.command("try")(try_)
app.command("lock")(lock)
app.command("fetch")(fetch)
app.command("record")(record)


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"audit {version_of('recsys-metric-audit')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; always ends in ``SystemExit`` with one of the documented exit codes."""
    listen()
    ended = protect()
    try:
        app(prog_name="audit")
    except KeyboardInterrupt:  # before the command has begun: the group of all commands tells of later ones
        say("audit: interrupted", err=True)
        raise SystemExit(ended(INTERRUPTED)) from None
    except SystemExit as error:
        raise SystemExit(ended(error.code)) from None
