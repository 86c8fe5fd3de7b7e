"""The numbers that the paper published, with the definition that it says they follow.

``reports/cited/values.csv`` holds Tables 1 and 2 of Tamm, Damdinov & Vasilev (RecSys 2021) as printed (``*``: after a
minimal fix of the library) and, where the paper's supplemental repository (github.com/Darel13712/compare_metrics)
has them, the same values at full precision. RePlay is in the tables only. What the paper has of OpenRec is of its
functions for TensorFlow 2, by the digits of float32; those have no Precision.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent.parent / "cited" / "values.csv"

VERSIONS = {
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
"""The version of each library behind the paper's values."""

TITLES = {
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
"""The libraries as the paper calls them."""

K = 20
"""The paper's cut-off."""


@dataclass(frozen=True)
class Published:
    """One cell: ``full`` is its value at full precision where there is one, ``variant`` the signature that the paper
    claims (empty where no signature says what the paper describes)."""

    table: int
    library: str
    metric: str
    column: str
    full: float | None
    printed: str
    variant: str


@cache
def published() -> tuple[Published, ...]:
    """Return every cell of Tables 1 and 2 that holds something."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Published(
                int(row["table"]), row["library"], row["metric"], row["column"],
                float(row["full"]) if row["full"] else None, row["printed"], row["variant"],
            )
            for row in csv.DictReader(file)
        )  # fmt: skip


def value(library: str, metric: str) -> float | None:
    """Return the full-precision value of a cell of Table 1, or ``None`` where there is none."""
    return next((p.full for p in published() if (p.table, p.library, p.metric) == (1, library, metric)), None)
