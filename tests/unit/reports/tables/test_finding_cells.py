"""Cells of findings without a value."""

from __future__ import annotations

from reports.model.result import NOT_RECORDED, Evidence
from reports.tables.paper_tables import paper_tables
from tests.support.result_samples import finding, result
from tests.support.table_rows import row_texts


def test_a_value_that_the_library_does_not_average_is_said() -> None:
    assert row_texts(paper_tables(result(findings=(finding(value=None),)))[0], "Alpha") == ["per user"]
    replayed = {"live": False, "value": None}
    for data, shown in (("the values of 300 users", "per user"), (NOT_RECORDED, "not recorded")):
        heard = Evidence(cases=9, tolerance=1e-9, range={"data": data})
        assert row_texts(paper_tables(result(findings=(finding(evidence=heard, **replayed),)))[0], "Alpha") == [shown]
