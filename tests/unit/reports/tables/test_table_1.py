"""Table 1: its columns, rows, marks and key."""

from __future__ import annotations

from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from recsys_metric_audit.reports.tables.table import KeyEntry
from tests.support.result_samples import finding, library, lost, result
from tests.support.table_rows import row_texts


def test_table_1_is_the_papers() -> None:
    first = paper_tables(result())[0]
    assert [c.heading for c in first.columns] == ["HitRate", "MAP", "MRR", "NDCG", "Precision", "Recall", "AUC"]
    assert [r.label for r in first.rows] == ["Canonical", "Alpha", "Beta", "Gamma", "Delta", "Omega"]
    assert row_texts(first, "Canonical") == ["0.475", "0.039", "0.186", "0.093", "0.058", "0.096", "0.705"]
    assert row_texts(first, "Beta") == ["1.151a", "0.032a", "0.186", "0.093", "0.058", "0.096", "0.687a"]
    assert row_texts(first, "Gamma") == ["failed", "0.003?", "0.275a", "0.463a", "0.058~", "0.096!", "timed out"]
    assert row_texts(first, "Delta") == ["–", "0.023b", "0.186", "crashed", "nan", "0.096", "0.283b"]
    assert first.rows[-1].note == "unavailable: Python 3.7 was not found."
    assert first.rows[3].detail == "0.4 (recorded)"


def test_the_key_says_what_each_mark_in_the_table_means_and_no_other() -> None:
    key = paper_tables(result())[0].key
    assert key == (
        KeyEntry("HitRate", "a", "counts the hits, not 1 for any hit", "", "counts the hits"),
        KeyEntry("MAP", "a", "divides by r, not by min(k, r)", "", "divides by r"),
        KeyEntry("MAP", "b", "divides by k, not by min(k, r)", "", "divides by k"),
        KeyEntry(
            "MRR", "a", "sums 1 / rank of all hits, not 1 / rank of the first hit", "", "sums 1 / rank of all hits"
        ),
        KeyEntry("NDCG", "a", "divides by 1 (plain DCG), not by the ideal DCG at k", "", "divides by 1 (plain DCG)"),
        KeyEntry("AUC", "", "a b: see the columns of Table 2", ""),
        KeyEntry("", "~", "not known which formula", ""),
        KeyEntry("", "?", "no formula fits", ""),
        KeyEntry("", "!", "not reproducible", ""),
    )


def test_a_version_that_offers_none_of_the_metrics_has_no_row() -> None:
    missing = lost("ndcg", "beta", "not_offered", "no such name")
    broken = lost("ndcg", "gamma", "failed", "boom")
    made = result(libraries=(library(), library("beta"), library("gamma")), findings=(finding(), missing, broken))
    assert [row.label for row in paper_tables(made)[0].rows] == ["Canonical", "Alpha", "Gamma"]
