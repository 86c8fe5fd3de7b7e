"""Findings as a tidy table: levels, unknown axes and the effect have columns of their own."""

from __future__ import annotations

from io import BytesIO

import polars

from recsys_metric_audit.reports.model.result import Effect
from recsys_metric_audit.reports.renderers.registry import REPORT_FORMATS
from recsys_metric_audit.reports.tables.tidy_columns import TIDY_COLUMNS
from recsys_metric_audit.reports.tables.tidy_rows import tidy_rows
from tests.support.result_samples import differing, library, lost, result

EFFECT = Effect(formula=-0.02, who_counts=0.005, input=0.0, total=-0.015, same_value=False)
FOUND = differing("ndcg", "alpha", "gain", "exp2", 0.0784, effect=EFFECT, unknown=("ties", "order"),
                  does_not_apply={"duplicates": "a matrix"}, documented_by=("library", "catalogue"))  # fmt: skip
MADE = result(libraries=(library(), library("beta")), findings=(FOUND, lost("ndcg", "beta", "failed", "boom")))


def test_a_row_tells_formula_levels_unknown_axes_and_effect() -> None:
    row, without = tidy_rows(MADE)
    assert tuple(row) == tuple(without) == TIDY_COLUMNS
    told = {name: row[name] for name in (
        "formula", "differs_formula", "differs_who_counts", "differs_input", "unknown", "cannot_matter",
        "does_not_apply", "documented_by", "effect_formula", "effect_who_counts", "effect_input", "effect_total",
        "same_value",
    )}  # fmt: skip
    assert told == {
        "formula": "ndcg@20|gain:exp2", "differs_formula": "gain", "differs_who_counts": "", "differs_input": "",
        "unknown": "ties; order", "cannot_matter": "", "does_not_apply": "duplicates",
        "documented_by": "library; catalogue", "effect_formula": -0.02, "effect_who_counts": 0.005,
        "effect_input": 0.0, "effect_total": -0.015, "same_value": False,
    }  # fmt: skip
    assert without["effect_total"] is None and without["same_value"] is None


def test_parquet_keeps_effects_as_numbers_and_flags_as_booleans() -> None:
    made = REPORT_FORMATS["parquet"](MADE)
    assert isinstance(made, bytes)
    frame = polars.read_parquet(BytesIO(made))
    assert frame["effect_total"].to_list() == [-0.015, None]
    assert frame["same_value"].to_list() == [False, None]
    assert frame["unknown"].to_list() == ["ties; order", ""]
