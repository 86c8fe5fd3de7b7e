"""Cells of findings: values, marks and how they look."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import NOT_RECORDED, EvidenceSummary, Finding, Reference
from recsys_metric_audit.reports.tables.finding_cells import finding_cell
from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from recsys_metric_audit.reports.wording.variant_letters import assign_letters
from tests.support.result_samples import differing, finding, library, restated, result
from tests.support.table_rows import row_texts


def test_a_value_that_the_library_does_not_average_is_said() -> None:
    assert row_texts(paper_tables(result(findings=(finding(value=None),)))[0], "Alpha") == ["per user"]
    replayed = {"live": False, "value": None}
    for data, shown in (("the values of 300 users", "per user"), (NOT_RECORDED, "not recorded")):
        evidence = EvidenceSummary(cases=9, tolerance=1e-9, range={"data": data})
        table_1 = paper_tables(result(findings=(finding(evidence=evidence, **replayed),)))[0]
        assert row_texts(table_1, "Alpha") == [shown]


def state_and_text(found: Finding, canonical: float | None = 0.0934) -> tuple[str, str]:
    made = result(libraries=[library()], findings=(found,))
    row = None if canonical is None else Reference(metric="ndcg", k=20, signature="ndcg@20", value=canonical)
    cell = finding_cell(found, assign_letters(made), row)
    return cell.state, cell.text + cell.mark


def test_only_the_canonical_formula_with_the_canonical_number_looks_calm() -> None:
    assert state_and_text(finding(value=0.09338)) == ("canonical", "0.093")
    assert state_and_text(finding(value=0.11)) == ("variant", "0.110")
    assert state_and_text(finding(value=0.11), None) == ("canonical", "0.110"), "there is nothing to differ from"
    assert state_and_text(differing("ndcg", "alpha", "gain", "exp2", 0.0934)) == ("variant", "0.093a")
    assert state_and_text(finding(verdict="unexplained")) == ("unsure", "0.093?")


def test_a_dagger_follows_the_letter() -> None:
    users = differing("ndcg", "alpha", "users", "both", 0.0934, verdict="agrees")
    assert state_and_text(users) == ("canonical", "0.093†")
    both = restated(
        differing("ndcg", "alpha", "gain", "exp2", 0.1),
        levels={"formula": ("gain",), "who_counts": ("users", "no_list"), "input": ("ties",)},
    )
    assert state_and_text(both) == ("variant", "0.100a†‡")
