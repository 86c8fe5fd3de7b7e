"""A history in every format, against texts written by hand."""

from __future__ import annotations

import json

from recsys_metric_audit.reports.model.level_meaning import Move
from recsys_metric_audit.reports.pins.drift import Drift
from recsys_metric_audit.reports.pins.version_history import History, HistoryCell, HistoryRow
from recsys_metric_audit.reports.renderers.history_formats import as_json, as_markdown, as_text

CHANGE = Drift(
    "a",
    "3.0",
    "a.ndcg",
    "changed",
    "ndcg@k",
    "ndcg@k|gain:exp2",
    (Move("gain", "binary", "exp2"),),
    "",
    "2.0",
    ("formula",),
)
CELLS = (
    HistoryCell("1.0", "ndcg@k", None),
    HistoryCell("2.0", "ndcg@k", None),
    HistoryCell("3.0", "ndcg@k|gain:exp2", CHANGE),
)
HISTORY = History("a", ("1.0", "2.0", "3.0"), (HistoryRow("a.ndcg", "ndcg", CELLS),), ())


def test_equal_versions_share_a_line_and_a_star_marks_a_change() -> None:
    assert as_text(HISTORY) == (
        "a: 1.0, 2.0, 3.0\n"
        "\n"
        "a.ndcg (ndcg)   changed in 3.0 (formula)\n"
        "  1.0, 2.0  ndcg@k\n"
        "* 3.0       ndcg@k|gain:exp2\n"
        "              gain: binary → exp2 (formula)"
    )


def test_a_changed_cell_is_bold() -> None:
    assert as_markdown(HISTORY).splitlines()[2:] == [
        "| Function | 1.0 | 2.0 | 3.0 | Changed in |",
        "|---|---|---|---|---|",
        "| **`a.ndcg`** | `ndcg@k` | `ndcg@k` | **`ndcg@k\\|gain:exp2`** | 3.0 (formula) |",
    ]


def test_json_says_in_which_versions_a_function_changed() -> None:
    (row,) = json.loads(as_json(HISTORY))["rows"]
    assert row["changed_in"] == ["3.0"]
    assert row["changed_levels"] == {"3.0": ["formula"]}
    assert row["cells"][2]["change"]["moves"][0]["new"] == "exp2"
