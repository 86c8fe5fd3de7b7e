"""``audit which``: which definition gives a number that a paper or a table prints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from recsys_metric_audit.audit.cli.shared import options
from recsys_metric_audit.audit.cli.shared.inputs import UserFiles, load_dataset
from recsys_metric_audit.audit.cli.shared.output import NOT_IDENTIFIED, said_while, say, show
from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.reference.value_search.by_value import Printed


def which(
    value: Annotated[
        list[str],
        typer.Option(
            metavar="[METRIC[@K]=]NUMBER", help="A printed number, with all its digits. Can be repeated for one table."
        ),
    ],
    metric: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Metric of numbers that name none: ndcg, map, ... Needed without METRIC=."),
    ] = None,
    k: Annotated[
        int | None, typer.Option("-k", metavar="N", help="Cut-off of numbers that name none. Needed without @K.")
    ] = None,
    predictions: options.Predictions = None,
    truth: options.Truth = None,
    train: options.TrainingItems = None,
    threshold: options.Threshold = None,
    dataset: options.DatasetName = None,
    changes: Annotated[
        int, typer.Option(metavar="N", min=0, max=4, help="Changes tried beyond a documented formula.")
    ] = 2,
    library: Annotated[
        bool, typer.Option("--library", help="Name the library versions that compute each formula, from --from.")
    ] = False,
    source: options.Run = None,
    no_data: Annotated[
        bool,
        typer.Option(
            "--no-data", help="Only the numbers are known: which pairs of formulas could not both have given them."
        ),
    ] = False,
    one_relevant: Annotated[
        bool, typer.Option("--one-relevant", help="With --no-data: every user has one relevant item (leave-one-out).")
    ] = False,
    form: options.FormTextOrJson = options.TextOrJson.text,
) -> None:
    """Find the definitions that give a printed number.

    All documented formulas are tried, and those a few changes from them, with every way to choose users and to handle
    unusual rows that this data can tell apart. What rounds to the printed number is listed by formula, fewest changes
    first. Several numbers of one table narrow each other. Ends with 4 if no definition gives them, or, with --no-data,
    if no two documented formulas can give two of them.

    \b
    Examples:
      audit which --metric ndcg -k 20 --value 0.1684 --predictions p.parquet --truth t.parquet
      audit which --value ndcg@10=0.151 --value recall@10=0.17 --predictions p.csv --truth t.csv --train r.csv
      audit which --metric map -k 20 --value 7.3% --library
      audit which --value hr@10=0.30 --value mrr@10=0.41 --no-data
    """
    from recsys_metric_audit.audit.cli.shared.printed_numbers import as_json, lines, read_printed
    from recsys_metric_audit.reference.evaluation.evaluate import Problem
    from recsys_metric_audit.reference.value_search.by_value import definitions_giving
    from recsys_metric_audit.reports.model.result_file import load_run

    printed = read_printed(value, metric, k)
    files = UserFiles(predictions, truth, train, threshold)
    if no_data or one_relevant:
        _check_table(printed, no_data=no_data, given=dataset is not None or bool(files.given_options()))
        _tell_table(printed, form, one_relevant=one_relevant)
        return
    data = load_dataset(dataset, files)
    run = load_run(source, options.REPORT_FOLDER) if library or source else None
    with said_while("trying definitions"):
        found = definitions_giving(Problem.of([data.case], None), printed, changes=changes)
    if form is options.TextOrJson.json:
        show(json.dumps([as_json(each, run) for each in found], indent=1, ensure_ascii=False))
    else:
        say(f"{data.name}, {data.shape.users:,} users")
        for each in found:
            show("\n" + "\n".join(lines(each, run)))
    if not all(each.matches for each in found):
        raise typer.Exit(NOT_IDENTIFIED)


def _check_table(printed: tuple[Printed, ...], *, no_data: bool, given: bool) -> None:
    """Refuse what says nothing without data.

    Raises:
        UserError: for fewer than two numbers with a cut-off, for data, and for --one-relevant beside data.
    """
    if not no_data:
        raise UserError("--one-relevant says of a table without data how it was made", "add --no-data, or leave it out")
    if given:
        raise UserError("--no-data compares the numbers alone", "leave out the data, or --no-data")
    if sum(each.k is not None for each in printed) < 2:
        raise UserError(
            "--no-data compares two numbers with a cut-off and more", "add --value METRIC@K=NUMBER of the same table"
        )


def _tell_table(printed: tuple[Printed, ...], form: options.TextOrJson, *, one_relevant: bool) -> None:
    from recsys_metric_audit.audit.cli.shared.printed_numbers import table_json, table_lines
    from recsys_metric_audit.reference.value_search.impossible_pairs import impossible_pairs

    pairs = impossible_pairs(printed, one_relevant=one_relevant)
    if form is options.TextOrJson.json:
        show(json.dumps(table_json(pairs), indent=1, ensure_ascii=False))
    else:
        show("\n".join(table_lines(pairs, one_relevant=one_relevant)))
    if not all(pair.possible for pair in pairs):
        raise typer.Exit(NOT_IDENTIFIED)
