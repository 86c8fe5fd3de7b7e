"""``audit which``: which definition gives a number that a paper or a table prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from recsys_metric_audit.audit.cli.shared import options
from recsys_metric_audit.audit.cli.shared.inputs import UserFiles, load_dataset
from recsys_metric_audit.audit.cli.shared.output import NOT_IDENTIFIED, said_while, say, show_json, show_wrapped
from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.reference.value_search.by_value import Printed


def which(
    value: list[str] = typer.Option(
        metavar="[METRIC[@K]=]NUMBER", help="A printed number, with all its digits. Can be repeated for one table."
    ),
    metric: str | None = typer.Option(
        None, metavar="NAME", help="Metric of numbers that name none: ndcg, map, ... Needed without METRIC=."
    ),
    k: int | None = typer.Option(None, "-k", metavar="N", help="Cut-off of numbers that name none. Needed without @K."),
    predictions: Path | None = options.PREDICTIONS,
    truth: Path | None = options.TRUTH,
    train: Path | None = options.TRAINING_ITEMS,
    threshold: float | None = options.THRESHOLD,
    dataset: str | None = typer.Option(
        None, metavar="NAME", help="Data instead of files, as for audit run. Default: none."
    ),
    changes: int = typer.Option(2, metavar="N", min=0, max=4, help="Changes tried beyond a documented formula."),
    library: bool = typer.Option(
        False, "--library", help="Name the library versions that compute each formula, from --from."
    ),
    source: Path | None = options.RUN,
    one_relevant: bool = typer.Option(
        False, "--one-relevant", help="Without data: every user has one relevant item (leave-one-out)."
    ),
    form: options.TextOrJson = options.FORM_TEXT_OR_JSON,
) -> None:
    """Find the definitions that give a printed number.

    All documented formulas are tried, and those a few changes from them, with every way to choose users and to handle
    unusual rows that this data can tell apart. What rounds to the printed number is listed by formula, fewest changes
    first. Several numbers of one table narrow each other; one without a cut-off is of the whole list. Ends with 4 if no
    definition gives them.

    Without data, numbers of one table are compared with each other: which pairs of formulas could not both have given
    two of them, whatever the lists. With --one-relevant all numbers are compared at once, by a linear program over the
    ranks that the relevant item can have. Ends with 4 if no documented formulas could have given them.

    \b
    Examples:
      audit which --value ndcg@20=0.1684 --predictions p.parquet --truth t.csv
      audit which --value ndcg@10=0.151 --value recall@10=0.17 \\
        --predictions p.csv --truth t.csv --train r.csv
      audit which --metric map -k 20 --value 7.3% --dataset ml-100k --library
      audit which --value hr@10=0.30 --value mrr@10=0.41
      audit which --value hr@10=0.512 --value ndcg@10=0.302 --value mrr=0.20 \\
        --one-relevant
    """
    from recsys_metric_audit.audit.cli.shared.printed_numbers import as_json, lines, read_printed
    from recsys_metric_audit.reference.evaluation.evaluate import Problem
    from recsys_metric_audit.reference.value_search.by_value import definitions_giving
    from recsys_metric_audit.reports.model.result_file import load_run

    printed = read_printed(value, metric, k)
    files = UserFiles(predictions, truth, train, threshold)
    given = dataset is not None or bool(files.given_options())
    if one_relevant or not given:
        _check_table(printed, given=given)
        _tell_table(printed, form, one_relevant=one_relevant)
        return
    data = load_dataset(dataset, files)
    run = load_run(source, options.REPORT_FOLDER) if library or source else None
    with said_while("trying definitions"):
        found = definitions_giving(Problem.of([data.case], None), printed, changes=changes)
    if form is options.TextOrJson.json:
        show_json([as_json(each, run) for each in found])
    else:
        say(f"{data.name}, {data.shape.users:,} users")
        for each in found:
            show_wrapped("\n" + "\n".join(lines(each, run)))
    if not all(each.matches for each in found):
        raise typer.Exit(NOT_IDENTIFIED)


def _check_table(printed: tuple[Printed, ...], *, given: bool) -> None:
    """Refuse what says nothing without data.

    Raises:
        UserError: for one number alone, and for --one-relevant beside data.
    """
    if given:
        raise UserError("--one-relevant says of a table without data how it was made", "leave it out, or the data")
    if len(printed) < 2:
        raise UserError(
            f"--value: on which data was {printed[0]} measured? without them one number says nothing",
            "add --predictions FILE --truth FILE, or --value METRIC@K=NUMBER of the same table",
        )


def _tell_table(printed: tuple[Printed, ...], form: options.TextOrJson, *, one_relevant: bool) -> None:
    from recsys_metric_audit.audit.cli.shared.printed_numbers import table_json, table_lines
    from recsys_metric_audit.reference.value_search.impossible_pairs import CheckedNumbers
    from recsys_metric_audit.reference.value_search.number_conversion import ConversionError

    pairs = CheckedNumbers(printed, one_relevant=one_relevant)
    try:
        table = pairs.together
    except ConversionError as error:
        raise UserError(f"--one-relevant: {error}", "leave it out, or some of the numbers") from None
    if not pairs and table is None:
        raise UserError("two numbers with a cut-off are compared", "write METRIC@K=NUMBER, or add --one-relevant")
    if form is options.TextOrJson.json:
        show_json(table_json(pairs, table))
    else:
        show_wrapped("\n".join(table_lines(pairs, table)))
    if not all(pair.possible for pair in pairs) or (table is not None and not table.possible):
        raise typer.Exit(NOT_IDENTIFIED)
