"""The command line: its verbs by what they are about; ``shared`` holds what several commands use.

Nothing heavy is imported before a command runs. May import every room.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version as version_of

import typer

from recsys_metric_audit.audit.cli.adapter_work import fetch, list_, lock, new, record, try_
from recsys_metric_audit.audit.cli.checks import accept, badge, bisect, check, history
from recsys_metric_audit.audit.cli.convert import convert
from recsys_metric_audit.audit.cli.diff import diff
from recsys_metric_audit.audit.cli.evaluate import evaluate
from recsys_metric_audit.audit.cli.lookups import definitions, explain, show
from recsys_metric_audit.audit.cli.own_functions import identify, probes
from recsys_metric_audit.audit.cli.results import compare, paper, report, table
from recsys_metric_audit.audit.cli.run import reproduce, run
from recsys_metric_audit.audit.cli.shared.command_group import CommandGroup
from recsys_metric_audit.audit.cli.shared.output import INTERRUPTED, protect, say
from recsys_metric_audit.audit.cli.which import which
from recsys_metric_audit.audit.process.stoppable import listen

_ABOUT = """\
Find out by experiment what the metrics of recommender-system libraries compute.

Runs each library on the same fixed predictions, in a locked environment of its own, and names the definition that
fits what its functions return, as a signature such as ndcg@20|gain:exp2.

\b
Examples:
  audit run                                    all libraries, MovieLens-100K
  audit run -l rs_metrics==0.6.0 -k 10         one version, at another cut-off
  audit run --predictions p.csv --truth t.csv --train r.csv
  audit list                                   libraries and their versions
  audit report audit-report                    the tables of an audit again
  audit compare old-report new-report          what changed between two audits
  audit check -l rs_metrics==0.6.0             is it still what was accepted?
  audit identify metrics.py:ndcg               what does my function compute?
  audit which --value hr@5=.3 --value mrr@5=.4 can both numbers be right?
  audit evaluate p.csv t.csv --as recbole      metrics as a library has them
  audit show recbole                           what it computes, as recorded
  audit explain 'ndcg@20|gain:exp2'            formula, sources, an example
  audit paper                                  do claims of papers hold?
"""

_EXIT_CODES = """\
\b
Exit codes:
  0    done
  1    what was found is not what was expected (check, accept, try, diff,
       lock --upgrade, identify --expect, report --verify)
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
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
# In the order in which a newcomer meets them; help lists them so.
_VERBS: tuple[Callable[..., None], ...] = (
    run, report, compare, show, explain, definitions, evaluate, identify, probes, which, convert, diff, reproduce,
    list_, check, accept, history, bisect, badge, paper, table, new, try_, lock, fetch, record,
)  # fmt: skip
for verb in _VERBS:
    app.command(verb.__name__.rstrip("_"))(verb)


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"audit {version_of('recsys-metric-audit')}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", help="Print the version and exit.", is_eager=True, callback=_print_version
    ),
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
