"""Table 3 and §5 of the paper: how the papers that it surveyed describe their metrics, as cited in ``claims.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from reports.model.fields import FrozenModel

_FILE = Path(__file__).parent.parent / "cited" / "claims.toml"


class Table3Column(FrozenModel):
    """One column of the paper's Table 3; ``known``: a reader knows from it which metric was meant."""

    column: str
    papers: int
    known: bool


class DescribedPaper(FrozenModel):
    """Quotes the paper on how one surveyed paper defines its metrics (§5)."""

    name: str
    says: str


@cache
def read_claims_file() -> dict[str, Any]:
    """Read ``claims.toml`` without validating it."""
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


@cache
def table_3_columns() -> tuple[Table3Column, ...]:
    """Return the columns of Table 3."""
    return tuple(map(Table3Column.model_validate, read_claims_file()["table3"]))
