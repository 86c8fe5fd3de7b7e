"""``audit probes``: the probe cases as files, for systems that are not Python."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from recsys_metric_audit.audit.cli.shared.safe_text import say


class Format(StrEnum):
    """Holds the formats of the files."""

    csv = "csv"
    trec = "trec"
    json = "json"


def probes(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; made if missing.")],
    form: Annotated[Format, typer.Option("--format", help="Format of the cases.")] = Format.csv,
    k: Annotated[
        int | None, typer.Option("-k", metavar="N", help="Write every case at this cut-off. Default: several.")
    ] = None,
) -> None:
    """Write the probe cases as files.

    They are for systems that are not Python: Elasticsearch, a Java program, a spreadsheet.

    The folder gets the cases (csv: predictions.csv and truth.csv; trec: probes.run and probes.qrels, where the query is
    case-user; json: probes.json) and answers.csv, with each case's cut-off and an empty column value. Write into it the
    mean over the users of the case, or leave it empty. audit identify --answers then tells what computed it.

    \b
    Examples:
      audit probes cases
      audit probes cases --format trec -k 10
      audit identify --answers cases/answers.csv --metric ndcg
    """
    from recsys_metric_audit.audit.cli.shared.run_inputs import check_cutoffs
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.audit.inhouse.function_inputs import function_inputs
    from recsys_metric_audit.audit.inhouse.shapes import FRAMES
    from recsys_metric_audit.audit.inhouse.sheets.probe_files import probe_files

    if k is not None:
        check_cutoffs([k])
    inputs = function_inputs(FRAMES, k)
    try:
        out.mkdir(parents=True, exist_ok=True)
        if (out / "answers.csv").exists():
            raise UserError(f"{out / 'answers.csv'} exists: it may hold answers", "name another folder, or remove it")
        for name, text in probe_files(form.value, inputs).items():
            (out / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{error.filename or out}: {error.strerror}", "name another folder") from error
    say(f"{len(inputs.probes)} cases in {out}; write their values into {out / 'answers.csv'}")
