"""Table 2: AUC by meaning."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.tables.paper_tables import paper_tables
from recsys_metric_audit.reports.tables.table import Column
from tests.support.result_samples import differing, finding, library, lost, restated, result
from tests.support.table_rows import row_texts

NEGATIVES = ("plus_one", "minus_one", "with_train", "catalogue", "catalogue_plus_one", "every_row", "k")


def test_table_2_sorts_auc_by_formula() -> None:
    second = paper_tables(result())[1]
    assert second.columns == (
        Column("GAUC", "canonical"),
        Column("SAUC", "a"),
        Column("GAUC@20", "b"),
        Column("other"),
    )
    assert [r.label for r in second.rows] == ["Canonical", "Alpha", "Beta", "Gamma", "Delta"]
    assert row_texts(second, "Canonical") == ["0.705", "–", "–", "–"]
    assert row_texts(second, "Beta") == ["0.705", "0.687", "–", "–"]
    assert row_texts(second, "Gamma") == ["–", "–", "–", "timed out"]
    assert row_texts(second, "Delta") == ["–", "–", "0.283", "–"]


def test_table_2_names_the_limited_one_and_what_is_no_auc_at_all() -> None:
    limited = differing("auc", "alpha", "list", "limited", 0.112, k=20)
    other = finding("auc", function="alpha.auc2", k=20, verdict="variant", signature="recall@20", value=0.1)
    second = paper_tables(result(findings=(limited, other)))[1]
    assert [column.heading for column in second.columns] == ["GAUC", "LAUC@20", "Recall"]


def test_columns_are_formulas_and_not_signatures() -> None:
    plain = differing("auc", "alpha", "scope", "stacked", 0.6)
    users = restated(
        plain, library="beta", version="2.3.1", differs_on=("scope", "users"), value=0.61,
        definition={"users": "all"}, signature="auc|scope:stacked|users:all",
    )  # fmt: skip
    second = paper_tables(result(findings=(plain, users)))[1]
    assert [column.heading for column in second.columns] == ["GAUC", "SAUC"]
    assert row_texts(second, "Beta") == ["–", "0.610†"], "the letter stands above, who counts beside the number"


def test_a_number_stands_before_nan_of_the_same_formula() -> None:
    empty = differing("auc", "alpha", "scope", "stacked", math.nan)
    labelled = differing("auc", "alpha", "scope", "stacked", 0.84, function="alpha.auc[labels]")
    assert row_texts(paper_tables(result(findings=(empty, labelled)))[1], "Alpha") == ["–", "0.840"]


def test_at_most_eight_columns_the_rarest_together_in_the_last() -> None:
    formulas = [
        ("scope", "stacked"),
        *(("negatives", name) for name in NEGATIVES),
        ("list", "topk"),
        ("list", "limited"),
    ]
    assert len(formulas) == 10
    names = [f"lib{n}" for n in range(10)]
    found = [
        differing("auc", name, axis, value, 0.5 + n / 100)
        for n, (name, (axis, value)) in enumerate(zip(names, formulas, strict=True))
    ]
    again = found[9].model_copy(update={"library": "lib8", "function": "lib8.second"})
    unknown = finding("auc", "lib0", function="lib0.other", verdict="unexplained", value=0.7)
    made = result(libraries=[library(name) for name in names], findings=(*found, again, unknown))
    second = paper_tables(made)[1]
    # The limited one is computed twice and comes first; then run order; three rare ones and the unknown one remain.
    assert [column.subheading for column in second.columns] == ["canonical", *"jabcde", ""]
    assert second.columns[-1].heading == "other"
    assert row_texts(second, "Lib9")[1] == "0.590"
    assert row_texts(second, "Lib8") == ["–", "0.590", *"–––––", "0.580i"]
    assert row_texts(second, "Lib0") == ["–", "–", "0.500", *"––––", "0.700?"]


def test_several_rare_ones_of_one_library_share_a_cell_with_their_letters() -> None:
    formulas = [("negatives", name) for name in NEGATIVES]
    common = [differing("auc", name, axis, value, 0.5) for name in ("alpha", "beta") for axis, value in formulas]
    common = [each.model_copy(update={"function": f"f{n}"}) for n, each in enumerate(common)]
    rare = [
        differing("auc", "gamma", "list", value, number, function=value)
        for value, number in (("topk", 0.1), ("limited", math.nan))
    ]
    made = result(libraries=[library(), library("beta"), library("gamma")], findings=(*common, *rare))
    # Letters go first to what Table 1 shows: a to the first of seven, b to topk; the last of all is limited.
    assert row_texts(paper_tables(made)[1], "Gamma")[-1] == "0.100 b, nan i"


@pytest.mark.parametrize(
    ("formula", "name"),
    [
        ("auc", "GAUC"), ("auc|pooling:weighted|weight:relevant", "weighted GAUC"), ("auc@k|list:topk", "GAUC@20"),
        ("auc@k|list:limited_hits", "LAUC@20"), ("auc@k|list:top_negatives", "pAUC@20"),
        ("auc@k|list:top_both", "pAp@20"), ("auc|scope:stacked|unlisted:dropped", "SAUC"),
    ],
)  # fmt: skip
def test_formulas_have_their_usual_names(formula: str, name: str) -> None:
    found = finding("auc", verdict="agrees" if formula == "auc" else "variant", formula=formula, k=20)
    assert name in [column.heading for column in paper_tables(result(findings=(found,)))[1].columns]


def test_a_failure_is_left_out_where_another_function_was_measured() -> None:
    broken = lost("auc", "alpha", "failed", "boom", function="alpha.broken")
    assert [c.heading for c in paper_tables(result(findings=(broken, finding("auc"))))[1].columns] == ["GAUC"]
    assert row_texts(paper_tables(result(findings=(broken,)))[1], "Alpha") == ["–", "failed"]
