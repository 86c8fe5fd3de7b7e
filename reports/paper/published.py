"""Holds the values that the paper of 2021 published, each with the definition that it says it follows, and its Table 3.

``reports/cited/tamm2021/values.csv`` holds Tables 1 and 2 of Tamm, Damdinov & Vasilev (RecSys 2021) as printed
(``*``: after a minimal fix of the library) and, where the paper's supplemental repository
(github.com/Darel13712/compare_metrics) has them, the same values at full precision. RePlay is in the tables only.
OpenRec's values have the digits of float32: they come from its functions for TensorFlow 2, except Precision, which
those lack.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from recsys_metric_audit.reports.model.fields import FrozenModel

CITED = Path(__file__).parent.parent / "cited"
"""The folder that holds one folder for each paper, by the paper's key."""

RE_AUDITED = "tamm2021"
"""The key of the paper whose tables this tool makes: Tamm, Damdinov & Vasilev (RecSys 2021)."""

PAPER_VERSIONS = {
    "replay": "0.4.0",
    "dl_rs_evaluation": "14e765bc",
    "daisyrec": "1.1.2",
    "beta_rec": "0.3.2",
    "recbole": "0.2.1",
    "elliot": "0.3.1",
    "openrec": "0.3.0",
    "openrec_tf2": "0.3.0",
    "recommenders": "2021.2",
    "neurec": "f8d3ab79",
    "rs_metrics": "0.5.0",
}
"""The version of each library that the paper measured."""

PAPER_TITLES = {
    "replay": "RePlay",
    "dl_rs_evaluation": "DL RS Evaluation",
    "daisyrec": "DaisyRec",
    "beta_rec": "Beta RecSys",
    "recbole": "RecBole",
    "elliot": "Elliot",
    "openrec": "OpenRec",
    "openrec_tf2": "OpenRec (TensorFlow 2)",
    "recommenders": "MS Recommenders",
    "neurec": "NeuRec",
    "recsys_pytorch": "RecSys PyTorch",
    "rs_metrics": "rs_metrics",
}
"""The names that the paper gives the libraries."""

PAPER_K = 20
"""The paper's cut-off."""


@dataclass(frozen=True)
class PublishedCell:
    """One cell of a published table.

    Attributes:
        table: 1 or 2.
        library: Name of the library's adapter folder.
        metric: Metric family of the reference.
        column: Heading of the cell's column.
        full: Value at full precision; None where only the printed one is known.
        printed: The text in print.
        variant: Signature of the definition that the paper says it is; empty if no signature expresses it.
    """

    table: int
    library: str
    metric: str
    column: str
    full: float | None
    printed: str
    variant: str


@cache  # read 250 times for the page of the recorded run: saves 0.15 of 3.5 seconds
def published_cells() -> tuple[PublishedCell, ...]:
    """Return every cell of Tables 1 and 2 that is not empty."""
    with (CITED / RE_AUDITED / "values.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return tuple(
        PublishedCell(int(table), library, metric, column, float(full) if full else None, printed, variant)
        for table, library, metric, column, full, printed, variant in rows
    )


def published_value(library: str, metric: str, column: str = "") -> float | None:
    """Return the full-precision value of a cell; None if there is none.

    Args:
        library: Name of the library's adapter folder.
        metric: Metric family of the reference.
        column: Heading of the column in Table 2; empty for the metric's cell in Table 1.
    """
    wanted = (2, library, metric, column) if column else (1, library, metric, metric)
    cells = published_cells()
    return next((e.full for e in cells if (e.table, e.library, e.metric, e.column) == wanted), None)


class Table3Column(FrozenModel):
    """One column of the paper's Table 3; ``known``: a reader knows from it which metric was meant."""

    column: str
    papers: int
    known: bool


class DescribedPaper(FrozenModel):
    """Quotes the paper on how one surveyed paper defines its metrics (§5)."""

    name: str
    says: str


def read_claims_file(key: str) -> dict[str, Any]:
    """Read the ``claims.toml`` of a paper without validating it."""
    return tomllib.loads((CITED / key / "claims.toml").read_text(encoding="utf-8"))


def table_3_columns() -> tuple[Table3Column, ...]:
    """Return the columns of Table 3."""
    return tuple(map(Table3Column.model_validate, read_claims_file(RE_AUDITED)["table3"]))
