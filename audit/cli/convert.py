"""``audit convert``: what follows from printed numbers, or from ranks of hits, for other definitions."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from recsys_metric_audit.audit.cli.shared.inputs import parse_typed
from recsys_metric_audit.audit.cli.shared.options import FORM_TEXT_OR_JSON, TextOrJson
from recsys_metric_audit.audit.cli.shared.output import NOT_IDENTIFIED, say, show
from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.reference.definitions.definition import Definition
    from recsys_metric_audit.reference.value_search.printed_number import PrintedNumber

_COLUMNS = ["user", "rank", "relevant"]
_EXAMPLE = "try audit convert NDCG@10 MRR@10 --value HR@10=0.52"


def convert(
    wanted: list[str] = typer.Argument(metavar="DEFINITION...", help="Signatures with a cut-off: ndcg@10, MRR@5, ..."),
    value: list[str] | None = typer.Option(
        None, metavar="SIGNATURE=NUMBER", help="A printed mean, with all its digits: HR@10=0.52. Can be repeated."
    ),
    ranks: Path | None = typer.Option(
        None, metavar="FILE.csv", help="Columns user, rank, relevant: a row a hit. Needed without --value."
    ),
    form: TextOrJson = FORM_TEXT_OR_JSON,
) -> None:
    """Convert printed numbers to other definitions without the data.

    From the ranks of each user's hits and the number of relevant items, definitions follow exactly, as long as they
    read nothing else. From means alone follows the interval in which a definition must lie if every user has one
    relevant item, as in leave-one-out, and all means are over the same users: its ends are the least and the largest
    value that any users with the printed numbers have. Ends with 4 if no users have these numbers together.

    \b
    Examples:
      audit convert NDCG@10 MRR@10 --value HR@10=0.52
      audit convert NDCG@10 --value HR@10=0.52 --value MRR@10=0.214
      audit convert 'recall@10|denominator:min' map@10 --ranks ranks.csv
    """
    from recsys_metric_audit.reference.value_search.number_conversion import ConversionError, from_means, from_ranks

    if bool(value) == (ranks is not None):
        raise UserError("give printed means with --value, or ranks of hits with --ranks", _EXAMPLE)
    definitions = [_definition(text, text) for text in wanted]
    try:
        if ranks is not None:
            found = from_ranks(*_read_ranks(ranks), definitions)
        else:
            found = from_means([_printed(text) for text in value or ()], definitions)
    except ConversionError as error:
        say(f"audit: {error}", err=True)
        raise typer.Exit(NOT_IDENTIFIED) from None
    except ValueError as error:
        raise UserError(f"{ranks}: {error}", "mend that user's rows") from None
    if form is TextOrJson.json:
        rows = [{"definition": each.definition.signature(), "low": each.low, "high": each.high} for each in found]
        show(json.dumps(rows, indent=1))
        return
    width = max(len(each.definition.signature()) for each in found)
    exact = ranks is not None
    say("exactly, from the ranks of hits" if exact else "if every user has one relevant item: least and largest value")
    for each in found:
        numbers = f"{each.low:.6f}" if exact else f"{each.low:.4f} to {each.high:.4f}"
        show(f"{each.definition.signature():<{width}}  {numbers}")


def _definition(text: str, where: str) -> Definition:
    """Read a signature with a number for its cut-off, or a definition that needs none.

    Raises:
        UserError: for one that does not parse, a letter as cut-off, and a metric beyond accuracy.
    """
    found = parse_typed(text, where, _EXAMPLE)
    if isinstance(found.k, str):
        raise UserError(f"{where}: at which cut-off?", f"write {found.metric}@10, for example")
    if found.family.reads != "relevance":
        raise UserError(f"{where}: {found.metric} reads which items are shown, which no rank tells", _EXAMPLE)
    return found


def _printed(text: str) -> tuple[Definition, PrintedNumber]:
    from recsys_metric_audit.reference.value_search.printed_number import PrintedNumberError, read_printed_number

    where = f"--value {text}"
    signature, given, number = text.rpartition("=")
    if not given:
        raise UserError(f"{where}: not of the form SIGNATURE=NUMBER", _EXAMPLE)
    try:
        return _definition(signature, where), read_printed_number(number)
    except PrintedNumberError as error:
        raise UserError(f"{where}: {error}", error.advice) from None


def _read_ranks(path: Path) -> tuple[dict[str, list[int]], dict[str, int]]:
    """Read the ranks of each user's hits and the number of relevant items.

    Raises:
        UserError: for a file that cannot be read, a missing column, or a row that is none.
    """
    ranks: dict[str, list[int]] = {}
    relevant: dict[str, int] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            if missing := [name for name in _COLUMNS if name not in (rows.fieldnames or ())]:
                raise UserError(f"{path}: no column {missing[0]}", f"its first line has to be {','.join(_COLUMNS)}")
            for row in rows:
                where = f"{path}, line {rows.line_num}"
                user, rank, count = ((row[name] or "").strip() for name in _COLUMNS)
                number = _whole(count, f"{where}, column relevant")
                if relevant.setdefault(user, number) != number:
                    raise UserError(
                        f"{where}: user {user} has {number} relevant items here and {relevant[user]} above",
                        "give one number for each user",
                    )
                ranks.setdefault(user, []).extend([_whole(rank, f"{where}, column rank")] if rank else [])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path}: {getattr(error, 'strerror', None) or error}", "give a CSV file in UTF-8") from None
    if not ranks:
        raise UserError(f"{path}: it has no user", "give one row for each hit")
    return ranks, relevant


def _whole(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise UserError(f"{where}: {text!r} is no whole number", "write ranks and numbers as 1, 2, 3, ...")
    return int(text)
