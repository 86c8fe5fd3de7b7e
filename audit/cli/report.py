"""``audit report``: the tables and pages of an audit again, from its result file, in any format."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recsys_metric_audit.audit.cli.shared.exit_codes import DRIFTED
from recsys_metric_audit.audit.cli.shared.options import Group
from recsys_metric_audit.audit.cli.shared.output_file import write_output
from recsys_metric_audit.audit.cli.shared.report_tables import print_tables
from recsys_metric_audit.audit.cli.shared.safe_text import say
from recsys_metric_audit.audit.cli.shared.standard_streams import report_is_on_disk

if TYPE_CHECKING:
    from recsys_metric_audit.reports.model.result import Result


class Format(StrEnum):
    """The formats of a report."""

    text = "text"
    md = "md"
    latex = "latex"
    csv = "csv"
    parquet = "parquet"
    json = "json"
    html = "html"
    contradictions = "contradictions"
    findings = "findings"


def report(
    directories: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Report folders, each with an audit.json.")
    ],
    form: Annotated[
        Format | None,
        typer.Option(
            "--format", help="Only this format, printed or written to --out. Default: print tables, write pages."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Folder to write; with --format a file. Default: DIR, if there is only one."),
    ] = None,
    group: Group = None,
    check: Annotated[
        bool, typer.Option("--verify", help="Write nothing: read the report back, and hold it against audit.json.")
    ] = False,
) -> None:
    """Print and write the report of an audit again.

    Without --format, tables are printed, and index.html and tables.md are written. Several folders are merged into one
    report, for libraries that were audited on different machines; they must be of different libraries, and of the
    same data and cut-offs. --group chooses the libraries in the tables of the formats text, md and latex.
    The format contradictions lists what the documentation of a library states and its code does not do, each with
    sentence, place and witness.

    --verify reads index.html and tables.md of the folder and the formats text, latex, csv and findings back, by code
    that shares nothing with the code that writes them. Every number, mark, verdict and sentence with a figure has to
    be what the libraries returned; what is not is listed, and the exit code is 1.

    \b
    Examples:
      audit report audit-report
      audit report audit-report --group all
      audit report audit-report --format md > comment.md
      audit report audit-report --format parquet --out findings.parquet
      audit report audit-report --format contradictions
      audit report parts/* --out audit-report
      audit report audit-report --verify
    """
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.reports.renderers.registry import REPORT_FORMATS, TABLE_FORMATS

    if group is not None and form is not None and form not in TABLE_FORMATS:
        raise UserError(f"--group chooses rows of tables, and {form} has everything.", "Leave out --group")
    if check:
        _verify(directories, alone=form is None and out is None and group is None)
        return
    result = _read(directories)
    if form is None:
        _write_and_print(result, directories, out, group)
    elif group is not None:
        write_output(TABLE_FORMATS[form](result, group), out)
    else:
        write_output(REPORT_FORMATS[form](result), out)


def _read(paths: list[Path]) -> Result:
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.reports.model.result_file import RESULT_FILE, merge, read_result

    for path in paths:
        if path.is_file() and path.name != RESULT_FILE:
            raise UserError(f"{path} is neither a folder nor an {RESULT_FILE}.", "Name the folder: audit report DIR")
    return merge([(path, read_result(path)) for path in paths])


def _write_and_print(result: Result, paths: list[Path], out: Path | None, group: str | None) -> None:
    """Write the pages to `out`, or beside the result file, and print the tables."""
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.reports.writers.report_folder import write_report

    if out is None and len(paths) > 1:
        raise UserError("Several reports are made into one, and it was not said where.", "Add --out DIR")
    (first, *_) = paths
    written = write_report(result, out or (first if first.is_dir() else first.parent))
    report_is_on_disk()
    print_tables(result, group)
    say(f"\nWritten: {', '.join(map(str, written))}")


def _verify(paths: list[Path], alone: bool) -> None:
    """Print what of a report was read back and what is not so; end with 1 if anything is not."""
    from importlib.metadata import version

    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.reports.renderers.registry import REPORT_FORMATS, TABLE_FORMATS
    from recsys_metric_audit.reports.verification.verify import Form, Kind, read_unchanged, summary, verify

    if len(paths) != 1 or not alone:
        raise UserError(
            "--verify reads the report in one folder and writes nothing.", "Name it: audit report DIR --verify"
        )
    (path,) = paths
    result = read_unchanged(path, version("recsys-metric-audit"))
    folder = path if path.is_dir() else path.parent
    made: tuple[Kind, ...] = ("findings", "csv", "latex", "text")
    forms = [Form(f"format {kind}", kind, str(REPORT_FORMATS[kind](result))) for kind in made]
    forms.append(Form("tables as printed", "text", TABLE_FORMATS["text"](result, None)))
    written: tuple[tuple[str, Kind], ...] = (("index.html", "html"), ("tables.md", "md"))
    forms += [
        Form(str(folder / name), kind, (folder / name).read_text(encoding="utf-8"))
        for name, kind in written if (folder / name).exists()
    ]  # fmt: skip
    ledgers = verify(result, forms)
    say(summary(ledgers))
    if any(ledger.mismatches for ledger in ledgers):
        raise typer.Exit(DRIFTED)
