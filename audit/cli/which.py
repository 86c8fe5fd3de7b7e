"""``audit which``: which definition gives a number that a paper or a table prints."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from audit.cli.shared.exit_codes import NOT_IDENTIFIED
from audit.cli.shared.options import REPORT_FOLDER, DatasetName, Predictions, Run, Threshold, TrainingItems, Truth
from audit.cli.shared.safe_text import say, show


class Format(StrEnum):
    """The formats of the answer."""

    text = "text"
    json = "json"


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
    predictions: Predictions = None,
    truth: Truth = None,
    train: TrainingItems = None,
    threshold: Threshold = None,
    dataset: DatasetName = None,
    changes: Annotated[
        int, typer.Option(metavar="N", min=0, max=4, help="Changes tried beyond a documented formula.")
    ] = 2,
    library: Annotated[
        bool, typer.Option("--library", help="Name the library versions that compute each formula, from --from.")
    ] = False,
    source: Run = None,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
) -> None:
    """Find the definitions that give a printed number.

    All documented formulas are tried, and those a few changes from them, with every way to choose users and to handle
    unusual rows that this data can tell apart. What rounds to the printed number is listed by formula, fewest changes
    first. Several numbers of one table narrow each other. Ends with 4 if no definition gives them.

    \b
    Examples:
      audit which --metric ndcg -k 20 --value 0.1684 --predictions p.parquet --truth t.parquet
      audit which --value ndcg@10=0.151 --value recall@10=0.17 --predictions p.csv --truth t.csv --train r.csv
      audit which --metric map -k 20 --value 7.3% --library
    """
    from audit.cli.progress.heartbeat import said_while
    from audit.cli.shared.printed_numbers import read_printed
    from audit.cli.shared.run_inputs import UserFiles, load_dataset
    from audit.cli.shared.which_text import as_json, lines
    from reference.evaluation.evaluate import Problem
    from reference.value_search.by_value import definitions_giving
    from reports.model.default_run import load_run

    printed = read_printed(value, metric, k)
    data = load_dataset(dataset, UserFiles(predictions, truth, train, threshold))
    run = load_run(source, REPORT_FOLDER) if library or source else None
    with said_while("trying definitions"):
        found = definitions_giving(Problem.of([data.case], None), printed, changes=changes)
    if form is Format.json:
        show(json.dumps([as_json(each, run) for each in found], indent=1, ensure_ascii=False))
    else:
        say(f"{data.name}, {data.shape.users:,} users")
        for each in found:
            show("\n" + "\n".join(lines(each, run)))
    if not all(each.matches for each in found):
        raise typer.Exit(NOT_IDENTIFIED)
