"""Hold Table 1, Table 2, their key, and the tables of the paper."""

from __future__ import annotations

import math
import re

import pytest

from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.model.result_file import PACKAGED_RUN, read_result
from recsys_metric_audit.reports.renderers import terminal
from recsys_metric_audit.reports.tables.paper_tables import MOST_LINES, paper_tables, table_key
from recsys_metric_audit.reports.tables.table import EMPTY, HALF_LINE, Cell, KeyEntry
from recsys_metric_audit.reports.wording.library_groups import DEFAULT_GROUP
from recsys_metric_audit.reports.wording.variant_letters import assign_letters
from tests.support.compared_results import several_cutoffs
from tests.support.result_samples import differing, finding, library, lost, restated, result
from tests.support.table_rows import row_texts

# Cells and key entries of a table as plain text.


def test_behind_a_figure_stand_its_mark_and_the_published_value() -> None:
    assert Cell("0.1").beside == EMPTY.beside == ""
    assert Cell("0.1", "a†").beside == "a†"
    assert Cell("0.1", "a", published="0.2").beside == "a [0.2]"


def test_an_entry_of_the_key_is_told_whole_or_in_brief() -> None:
    entry = KeyEntry("MAP", "a", "divides by r, not by k", "says the paper", "divides by r")
    assert entry.line == "MAP a  divides by r, not by k"
    assert entry.brief_line == "MAP a  divides by r"
    assert KeyEntry("", "†", "averages other users", "").brief_line == "†  averages other users"


# Table 1: its columns, rows, marks and key.


def test_a_version_that_offers_none_of_the_metrics_has_no_row() -> None:
    missing = lost("ndcg", "beta", "not_offered", "no such name")
    broken = lost("ndcg", "gamma", "failed", "boom")
    made = result(libraries=(library(), library("beta"), library("gamma")), findings=(finding(), missing, broken))
    assert [row.label for row in paper_tables(made)[0].rows] == ["Canonical", "Alpha", "Gamma"]


# Table 2: AUC by meaning.

NEGATIVES = ("plus_one", "minus_one", "with_train", "catalogue", "catalogue_plus_one", "every_row", "k")


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


# Keys of tables: letters in words, the rarest left out.


def key_of(*findings: Finding, metrics: tuple[str, ...] = ("ndcg",), **elsewhere: str) -> tuple[KeyEntry, ...]:
    names = dict.fromkeys((each.library, each.version) for each in findings)
    made = result(libraries=[library(*name) for name in names], findings=findings)
    return table_key(findings, metrics, assign_letters(made), {"ndcg": 0.1, "precision": 0.1}, elsewhere)


def test_letters_that_mean_the_same_in_words_share_a_line() -> None:
    found = [differing(metric, "alpha", "truth", "first", 0.1) for metric in ("ndcg", "precision")]
    words = "looks at the first relevant item only, not at all of them"
    assert key_of(*found, metrics=("ndcg", "precision")) == (
        KeyEntry("NDCG a, Precision", "a", words, "", words.split(",")[0]),
    )


def test_input_handling_is_not_in_the_key() -> None:
    assert key_of(differing("ndcg", "alpha", "ties", "item_desc", 0.1, verdict="agrees"), finding(name="beta")) == ()


def test_who_counts_and_signs_follow_the_letters() -> None:
    users = differing("ndcg", "beta", "users", "both", 0.1, verdict="agrees")
    made = key_of(users, differing("ndcg", "alpha", "gain", "exp2", 0.1), finding(name="gamma", verdict="ambiguous"))
    assert [(entry.column, entry.mark) for entry in made] == [("NDCG", "a"), ("", "†"), ("", "~")]


def test_the_rarest_letters_and_the_nearest_values_are_left_out() -> None:
    # 26 formulas in short words, two on a line: the first two are computed by two versions each, the others lie ever
    # further from 0.1.
    common = [differing("ndcg", f"lib{n}", "cutoff", str(2 + n % 2), 0.1) for n in range(4)]
    rare = [differing("ndcg", f"rare{n}", "cutoff", str(10 + n), 0.1 + n / 100) for n in range(24)]
    made = key_of(*common, *rare)
    # Twelve lines, one for signs and one for what is left out: ten lines hold twenty letters, so six of c to z go.
    assert [entry.mark for entry in made] == [*"abijklmnopqrstuvwxyz", ""]
    assert made[-1] == KeyEntry("others", "", "NDCG c d e f g h: see the page", "")


def test_long_words_take_whole_lines() -> None:
    axes = [("cutoff", "hits_uncut"), ("cutoff", "hits_k_plus_1"), ("cutoff", "none")]
    found = [differing("precision", f"lib{n}", *axis, 0.1) for n, axis in enumerate(axes)]
    assert [len(entry.brief_line) <= HALF_LINE for entry in key_of(*found, metrics=("precision",))] == [
        False, False, True,
    ]  # fmt: skip


def test_letters_explained_elsewhere_take_one_line() -> None:
    found = [differing("ndcg", "alpha", "gain", "exp2", 0.1), differing("ndcg", "beta", "gain", "linear", 0.1)]
    assert key_of(*found, ndcg="see Table 2") == (KeyEntry("NDCG", "", "a b: see Table 2", ""),)


def test_the_usual_run_needs_at_most_twelve_lines_and_no_signature() -> None:
    for table in paper_tables(read_result(PACKAGED_RUN), DEFAULT_GROUP):
        lettered = [entry for entry in table.key if entry.column]
        assert len(lettered) > 1
        _, key = terminal.render_table(table, 100).rsplit("━\n", 1)
        assert len(key.splitlines()) <= MOST_LINES
        assert not any(re.search(r"\w+:\w|@\d", entry.meaning) for entry in lettered), "words, not axis:value"


def test_a_mean_that_is_nan_is_explained_beside_its_column() -> None:
    empty = finding(definition={"no_hit": "nan"}, differs_on=("no_hit",), value=math.nan)
    assert "NDCG  nan: a user with no hit counts as NaN, and so does the mean" in [each.line for each in key_of(empty)]
    assert not any("nan" in each.line for each in key_of(finding()))


# The tables of a run with one or several cut-offs.


def test_no_table_2_without_an_auc() -> None:
    assert [table.name for table in paper_tables(result(findings=(finding(),)))] == ["Table 1"]


def test_a_formula_keeps_its_letter_at_every_cutoff() -> None:
    found = paper_tables(several_cutoffs())
    assert [table.name for table in found] == [
        "Table 1 (k = 5)", "Table 2 (k = 5)", "Table 1 (k = 20)", "Table 2 (k = 20)"
    ]  # fmt: skip
    assert row_texts(found[0], "Beta") == ["0.900a", "0.600a"]
    assert row_texts(found[2], "Beta") == ["0.400a", "0.600a"]
    assert [mark.meaning for mark in found[2].key] == [
        "divides by 1 (plain DCG), not by the ideal DCG at k",
        "a: see the columns of Table 2",
    ]
    assert row_texts(found[0], "Canonical") == ["0.200", "–"]
    assert found[2].rows[0].label == "Alpha", "no canonical value at 20, no canonical row"
