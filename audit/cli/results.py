"""``audit report``, ``compare``, ``table`` and ``paper``: what results say, in any format."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from recsys_metric_audit.audit.cli.shared import options, output
from recsys_metric_audit.audit.cli.shared.inputs import all_libraries
from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case
    from recsys_metric_audit.reports.model.result import Result


ReportFormat = StrEnum(
    "ReportFormat", ("text", "md", "latex", "csv", "parquet", "json", "html", "contradictions", "findings")
)
"""The formats of a report."""


def report(
    directories: list[Path] = typer.Argument(metavar="DIR...", help="Report folders, each with an audit.json."),
    form: ReportFormat | None = typer.Option(
        None, "--format", help="Only this format, printed or written to --out. Default: print tables, write pages."
    ),
    out: Path | None = typer.Option(
        None, metavar="PATH", help="Folder to write; with --format a file. Default: DIR, if there is only one."
    ),
    group: options.GroupName | None = options.GROUP,
    check: bool = typer.Option(
        False, "--verify", help="Write nothing: read the report back, and hold it against audit.json."
    ),
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
    from recsys_metric_audit.reports.renderers.registry import REPORT_FORMATS, TABLE_FORMATS
    from recsys_metric_audit.reports.renderers.terminal import render_report
    from recsys_metric_audit.reports.wording.library_groups import ALL_GROUPS

    if group is not None and form is not None and form not in TABLE_FORMATS:
        raise UserError(f"--group chooses rows of tables, and {form} has everything.", "Leave out --group")
    if check:
        _verify(directories, alone=form is None and out is None and group is None)
        return
    result = _read_all(directories)
    if form is None:
        _write_and_print(result, directories, out, group)
    elif form is ReportFormat.text and out is None:
        output.write_output(render_report(result, group or ALL_GROUPS, output.make_console().width), None)
    elif group is not None:
        output.write_output(TABLE_FORMATS[form](result, group), out)
    else:
        output.write_output(REPORT_FORMATS[form](result), out)


def _read_all(paths: list[Path]) -> Result:
    from recsys_metric_audit.reports.model.result_file import RESULT_FILE, merge, read_result

    for path in paths:
        if path.is_file() and path.name != RESULT_FILE:
            raise UserError(f"{path} is neither a folder nor an {RESULT_FILE}.", "Name the folder: audit report DIR")
    return merge([(path, read_result(path)) for path in paths])


def _write_and_print(result: Result, paths: list[Path], out: Path | None, group: str | None) -> None:
    """Write the pages to `out`, or beside the result file, and print the tables."""
    from recsys_metric_audit.reports.writers.report_folder import write_report

    if out is None and len(paths) > 1:
        raise UserError("Several reports are made into one, and it was not said where.", "Add --out DIR")
    (first, *_) = paths
    written = write_report(result, out or (first if first.is_dir() else first.parent))
    output.report_is_on_disk()
    output.print_tables(result, group)
    output.show_wrapped(f"\nWritten: {', '.join(map(str, written))}")


def _verify(paths: list[Path], alone: bool) -> None:
    """Print what of a report was read back and what is not so; end with 1 if anything is not."""
    from importlib.metadata import version

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
        for name, kind in written
        if (folder / name).exists()
    ]
    ledgers = verify(result, forms)
    output.show_wrapped(summary(ledgers))
    if any(ledger.mismatches for ledger in ledgers):
        raise typer.Exit(output.DRIFTED)


def compare(
    before: Path = typer.Argument(metavar="BEFORE", help="Report folder or audit.json of the earlier audit."),
    after: Path = typer.Argument(metavar="AFTER", help="Report folder or audit.json of the later audit."),
    form: options.AnyForm = options.FORM_ANYTHING,
    out: Path | None = options.OUT_FILE,
) -> None:
    """Print what changed between two audits.

    Changed definitions come first, then functions that came or went, then values. If each audit has one version of a
    library, and these are not the same, they are compared with each other.

    \b
    Examples:
      audit compare old/audit.json new/audit.json
      audit compare old new --format md > comment.md
    """
    from recsys_metric_audit.reports.model.result_file import read_result
    from recsys_metric_audit.reports.renderers.registry import COMPARISON_FORMATS
    from recsys_metric_audit.reports.tables.comparison import compare_results

    changes = compare_results(read_result(before), read_result(after))
    output.write_output(COMPARISON_FORMATS[form](changes), out, wrapped=form is options.AnyForm.text)


TableFormat = StrEnum("TableFormat", ("text", "md", "latex", "csv", "html"))
"""The formats of a table."""


def table(
    number: int = typer.Argument(metavar="1|2", min=1, max=2, help="1: all metrics; 2: variants of AUC."),
    source: Path | None = options.RUN,
    form: TableFormat = typer.Option(TableFormat.text, "--format", help="Output format."),
    out: Path | None = options.OUT_FILE,
) -> None:
    """Print Table 1 or 2 of the paper with today's values.

    The tables are those of Tamm, Damdinov & Vasilev (RecSys 2021). A row is a library version. A cell holds its value
    in an audit with a mark for the definition that was found, and in brackets the value that the paper printed, with
    the definition that the paper claims.

    \b
    Examples:
      audit table 1
      audit table 2 --from audit-report
      audit table 1 --format latex --out table1.tex
    """
    from recsys_metric_audit.reports.model.result_file import load_run
    from recsys_metric_audit.reports.paper.then_and_now import then_and_now
    from recsys_metric_audit.reports.renderers.registry import SIDE_BY_SIDE_FORMATS
    from recsys_metric_audit.reports.renderers.terminal import render_table

    result = load_run(source, options.REPORT_FOLDER).result
    if form is TableFormat.text and out is None:
        output.show(render_table(then_and_now(result, number), output.make_console().width), nl=False)
    else:
        output.write_output(SIDE_BY_SIDE_FORMATS[form](result, number), out)


def paper(
    words: list[str] | None = typer.Argument(
        None,
        metavar="[KEY] [NUMBER]",
        help="A paper, and one of its claims to tell in full. Default: the paper of 2021, all claims.",
    ),
    every: bool = typer.Option(False, "--list", help="List the papers and end."),
    again: bool = typer.Option(
        False, "--again", help="Make the experiments of a later paper again. Default: as recorded."
    ),
    source: Path | None = options.RUN,
    form: options.TextMdOrJson = options.FORM_TEXT_MD_OR_JSON,
) -> None:
    """Check what papers claim about metrics and libraries.

    Each claim of a paper, by default of Tamm, Damdinov & Vasilev (RecSys 2021), is judged by the definitions that an
    audit found, and by experiments on the reference and on data: yes; yes, but only in one way or setting; in part;
    no; or unknown. If the paper names the cause of a difference, that cause alone is changed to see its effect. Of
    later papers the recorded answers are shown, which come with the tool; --again makes them on this machine.

    \b
    Examples:
      audit paper
      audit paper 16
      audit paper --list
      audit paper manzhos2025 1
      audit paper jin2021 --again
      audit run --all && audit paper --from audit-report
      audit paper --format md > paper.md
    """
    from recsys_metric_audit.audit.pins.pin_file import run_for_paper
    from recsys_metric_audit.reports.model.result_file import load_run
    from recsys_metric_audit.reports.paper.claims import paper_keys
    from recsys_metric_audit.reports.paper.published import RE_AUDITED
    from recsys_metric_audit.reports.paper.reaudit import reaudit
    from recsys_metric_audit.reports.paper.recorded import recorded
    from recsys_metric_audit.reports.renderers import reaudit_formats as formats

    if every:
        output.show_wrapped("\n".join(formats.list_lines()))
        return
    key, number = _chosen(words or [])
    if key != RE_AUDITED and source is None and not again:
        found, origin = (
            recorded(key),
            f"the recorded answers that come with this tool; audit paper {key} --again makes them anew",
        )
        found = replace(found, told=tuple(each for each in found.told if number in (None, each.number)))
    else:
        loaded = run_for_paper(load_run(source, options.REPORT_FOLDER), key, partial(all_libraries, None))
        found, origin = reaudit(loaded.result, key, experiment_data, number), loaded.origin
    console = output.make_console()
    if form is not options.TextMdOrJson.text:
        made = formats.as_markdown if form is options.TextMdOrJson.md else formats.as_json
        output.show(made(found, origin))
    elif number is None:
        others = [other for other in paper_keys() if other != key] if key == RE_AUDITED else []
        formats.print_screen(found, origin, console, others)
    else:
        formats.print_claim(found.told[0], console)
        if (key, number) == (RE_AUDITED, formats.SURVEY):
            formats.print_rest(found, console)


def _chosen(words: list[str]) -> tuple[str, int | None]:
    """Return the key and the number that are named; without a key, that of the paper of 2021."""
    from recsys_metric_audit.reports.paper.claims import load_claims, paper_keys
    from recsys_metric_audit.reports.paper.published import RE_AUDITED

    named = list(words)
    key = named.pop(0) if named and not named[0].isdecimal() else RE_AUDITED
    if key not in paper_keys():
        raise UserError(f"there is no paper {key!r}", f"Choose one of: {', '.join(paper_keys())}.")
    if not named:
        return key, None
    last = load_claims(key).claim[-1].number
    if len(named) > 1 or not named[0].isdecimal() or not 1 <= int(named[0]) <= last:
        hint = f"Name one from 1 to {last}: audit paper {'' if key == RE_AUDITED else f'{key} '}{last}"
        raise UserError(f"{key} has no claim {' '.join(named)}", hint)
    return key, int(named[0])


@lru_cache(maxsize=16)
def experiment_data(dataset: str, recommender: str) -> Case:
    """Return a dataset with the predictions of a recommender, for experiments.

    ``dataset`` may name a scenario and a seed besides: ``ml-100k:global+leave_one_out+sampled:99#2``.
    """
    from recsys_metric_audit.audit.data import load
    from recsys_metric_audit.audit.scenarios import dataset_under, parse_scenario
    from recsys_metric_audit.reports.experiments.outcome import DataMissingError

    name, _, rest = dataset.partition("+")
    steps, _, seed = rest.partition("#")
    try:
        loaded = load(name, recommender or None)
        return dataset_under(loaded, parse_scenario(steps), int(seed or 1)).case if steps else loaded.case
    except UserError as error:
        raise DataMissingError(f"{error}".rstrip(".")) from error
