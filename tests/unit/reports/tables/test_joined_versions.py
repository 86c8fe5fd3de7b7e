"""Equal rows of one library become one."""

from __future__ import annotations

from recsys_metric_audit.reports.tables.joined_versions import join_equal_versions
from recsys_metric_audit.reports.tables.table import Cell, Column, Row, Table


def labels(*rows: Row) -> list[str]:
    table = Table("Table 1", "Caption.", (Column("NDCG"),), rows, ())
    return [f"{row.label} {row.detail}" for row in join_equal_versions(table).rows]


def row(label: str, detail: str, text: str = "0.169", mark: str = "", note: str = "") -> Row:
    return Row(label, detail, (Cell(text, mark),), note=note)


def test_equal_rows_of_one_library_are_joined() -> None:
    assert labels(row("RePlay", "0.22"), row("RePlay", "0.18"), row("RecTools", "0.19")) == [
        "RePlay 0.22, 0.18",
        "RecTools 0.19",
    ]
    assert labels(row("RePlay", "3"), row("RePlay", "2 (recorded) !"), row("RePlay", "1")) == [
        "RePlay 3, 2 (recorded) !, 1"
    ]


def test_rows_stay_apart_that_differ_in_a_value_a_mark_or_a_note() -> None:
    apart = (row("A", "4"), row("A", "3", "0.2"), row("A", "2", "0.2", "a"), row("A", "1", "0.2", "a", "failed"))
    assert len(labels(*apart)) == 4
    assert len(labels(row("A", "2", note="failed"), row("A", "1", note="failed"))) == 2


def test_rows_of_versions_that_do_not_follow_each_other_stay_apart() -> None:
    assert len(labels(row("A", "3"), row("A", "2", "0.2"), row("A", "1"))) == 3


def test_a_joined_label_fits_into_the_terminal() -> None:
    # "Fifteen letters 10.20.30, 10.20.29" has 34 characters; another version would make it longer.
    versions = ("10.20.30", "10.20.29", "1")
    assert labels(*(row("Fifteen letters", each) for each in versions)) == [
        "Fifteen letters 10.20.30, 10.20.29",
        "Fifteen letters 1",
    ]
