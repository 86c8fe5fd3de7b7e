"""Hold cells and rows of tables: findings, behaviours, versions that are joined, tidy rows, comparisons."""

from __future__ import annotations

from io import BytesIO

import polars
import pyarrow.parquet as pq
import pytest

from recsys_metric_audit.audit.behaviours.experiments import METAMORPHIC_TESTS
from recsys_metric_audit.reports.edges.edge_matrix import BEHAVIOUR_WORDS
from recsys_metric_audit.reports.model.result import (
    NOT_RECORDED,
    Behaviour,
    Effect,
    EvidenceSummary,
    Finding,
    Reference,
    Result,
)
from recsys_metric_audit.reports.renderers import comparison_formats
from recsys_metric_audit.reports.renderers.data_files import findings_parquet
from recsys_metric_audit.reports.renderers.registry import REPORT_FORMATS
from recsys_metric_audit.reports.tables.behaviour_matrix import (
    AS_EXPECTED,
    BEHAVIOUR_MEANINGS,
    DASHED,
    behaviour_glossary,
    behaviour_matrix,
    readable_name,
)
from recsys_metric_audit.reports.tables.comparison import Change, compare_results
from recsys_metric_audit.reports.tables.paper_tables import finding_cell, join_equal_versions, paper_tables
from recsys_metric_audit.reports.tables.table import EMPTY, Cell, Column, Row, Table
from recsys_metric_audit.reports.tables.tidy_rows import COLUMNS, TIDY_COLUMNS, TYPE_MEANINGS, TidyColumn, tidy_rows
from recsys_metric_audit.reports.wording.variant_letters import assign_letters
from recsys_metric_audit.reports.writers import data_set
from tests.support.extreme_results import hostile, many
from tests.support.result_samples import differing, finding, library, lost, restated, result, small_result
from tests.support.table_rows import row_texts

# Cells of findings: values, marks and how they look.


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


# The edge-behaviour matrix: one cell per library version and experiment.


def asked(**names: str) -> Result:
    """Return a run in which each function behaved as named when a user had no list."""
    found = tuple(
        finding(function=function, behaviours={"no_list": Behaviour(name=name, slug="odd" if name == "nan" else None)})
        for function, name in names.items()
    )
    return result(libraries=(library(),), findings=found)


def cell(**names: str) -> tuple[str, str]:
    table = behaviour_matrix(asked(**names))
    assert table is not None
    return table.rows[0].cells[0].text, table.rows[0].cells[0].state


def test_a_cell_has_the_common_behaviours_and_counts_the_rest() -> None:
    assert cell(a="counted_once") == ("counted once", "canonical")
    assert cell(a="zero", b="nan", c="zero") == ("zero 2, nan 1", "variant")
    assert cell(a="zero", b="zero", c="zero", d="one", e="one", f="raises") == ("zero 3, one 2, other 1", "canonical")
    assert cell(a="not_askable", b="zero") == ("zero", "canonical")
    assert cell(a="not_askable") == (EMPTY.text, EMPTY.state)


def test_there_is_no_matrix_without_experiments() -> None:
    assert behaviour_matrix(result(experiments=())) is None
    assert behaviour_matrix(result(libraries=(library(),), findings=(finding(),))) is None


def test_the_glossary_explains_what_occurs() -> None:
    assert behaviour_glossary(asked(a="zero", b="not_askable")) == (
        ("a user without list", "One user gets no recommendation."),
        ("rows shuffled", "Nothing should change."),
        ("zero", "it counts as 0, or the answer is 0"),
    )


# Names of behaviours for readers.


def test_names_are_read_as_words() -> None:
    assert readable_name("counted_once") == "counted once"
    assert readable_name("a\nb\x1b") == "a b\\x1b"


def test_every_name_with_a_role_or_short_words_has_a_meaning() -> None:
    assert METAMORPHIC_TESTS
    assert {*AS_EXPECTED, *DASHED, *BEHAVIOUR_WORDS} <= set(BEHAVIOUR_MEANINGS)


# Equal rows of one library become one.


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


# Every column of the tidy table stands in the data dictionary, in the words of its field and with its type.

ARROW = {"text": "string", "number": "double", "integer": "int64", "flag": "bool"}


def test_every_column_of_a_row_is_in_the_dictionary_with_its_meaning() -> None:
    table = data_set.page()
    for name in tidy_rows(small_result())[0]:
        (column,) = (each for each in COLUMNS if each.name == name)
        assert column.meaning[0].isupper() and column.meaning.endswith(".")
        assert f"| `{name}` | {column.type} | " in table
    assert len(set(TIDY_COLUMNS)) == len(COLUMNS)
    assert all(f"*{name}*: " in table for name in TYPE_MEANINGS)


def test_a_file_has_the_types_and_the_meanings_of_the_dictionary() -> None:
    schema = pq.read_schema(BytesIO(findings_parquet(small_result())))
    assert {field.name: str(field.type) for field in schema} == {each.name: ARROW[each.type] for each in COLUMNS}
    told = {field.name: field.metadata[b"description"].decode() for field in schema}
    assert told == {each.name: each.meaning for each in COLUMNS}


def test_a_file_says_what_it_is() -> None:
    made = small_result()
    metadata = pq.read_schema(BytesIO(findings_parquet(made))).metadata
    told = {name: metadata[name.encode()].decode() for name in ("dataset_format", "tool", "licence", "dataset_digest")}
    assert told == {
        "dataset_format": "1", "tool": made.tool, "licence": "CC-BY-4.0", "dataset_digest": made.dataset.digest,
    }  # fmt: skip
    assert b"k" in metadata and b"command" in metadata


def test_the_words_are_those_of_the_field_and_the_values_that_it_can_have() -> None:
    described = Finding.model_fields["status"].description
    assert described is not None
    (status,) = (each for each in COLUMNS if each.name == "status")
    assert status.meaning.startswith(described)
    assert status.meaning.endswith("One of measured, not_offered, failed, crashed, timed_out, unavailable.")
    (verdict,) = (each for each in COLUMNS if each.name == "verdict")
    assert "undocumented" in verdict.values, "of a field that may be null, too"


def test_a_field_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Finding\.witness has no docstring"):
        _ = TidyColumn("witness", Finding, "witness").meaning


# Findings as a tidy table: levels, unknown axes and the effect have columns of their own.

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


# Comparison of two runs.


def test_nothing_changed_between_a_run_and_itself() -> None:
    for made in (result(), hostile(), many(8)):
        assert compare_results(made, made).changes == ()
        assert comparison_formats.as_text(compare_results(made, made)) == "Nothing changed.\n"


def test_values_count_as_changed_beyond_the_tolerance_only() -> None:
    exact, rounded = EvidenceSummary(tolerance=1e-9), EvidenceSummary(tolerance=5e-5)
    for seen, changed in ((exact, 1), (rounded, 0)):
        pair = [finding(value=value, evidence=seen) for value in (0.09340, 0.09341)]
        made = [result(libraries=(library(),), findings=(each,)) for each in pair]
        assert len(compare_results(*made).changes) == changed


def test_other_data_is_said_and_values_are_then_not_compared() -> None:
    other = result().dataset.model_copy(update={"digest": "sha256:11", "name": "other"})
    one = result(libraries=(library(),), findings=(finding(),))
    two = result(libraries=(library(),), findings=(finding(value=0.5),), dataset=other)
    made = compare_results(one, two)
    assert [change.kind for change in made.changes] == ["data"]
    assert made.words == "1 change. The data is not the same, so values are not compared."


def pair(old: Finding, new: Finding) -> list[tuple[str, str, str]]:
    runs = [result(libraries=(library(),), findings=(each,)) for each in (old, new)]
    return [(change.kind, change.before, change.after) for change in compare_results(*runs).changes]


def test_every_level_that_changed_is_a_change_of_its_own() -> None:
    old = finding(signature="ndcg@20|users:both|ties:best")
    new = finding(signature="ndcg@20|gain:exp2|ties:worst", verdict="variant")
    assert pair(old, new) == [
        ("formula", "ndcg@k", "ndcg@k|gain:exp2"),
        ("who_counts", "users:both", "users:truth"),
        ("input", "ties:best", "ties:worst"),
    ]


def test_an_axis_that_became_known_changed_nothing_and_hides_no_other_value() -> None:
    old, new = finding(unknown=("ties",)), finding(signature="ndcg@20|ties:best", value=0.5)
    assert pair(old, new) == [("known", "ties:not known", "ties:best"), ("value", "0.0934", "0.5")]


def test_an_axis_that_applies_on_one_side_only_is_no_change_of_meaning() -> None:
    ties = differing("ndcg", "alpha", "ties", "item_desc", 0.0934, verdict="agrees")
    ruled_out = finding(does_not_apply={"ties": "ranks are the argument"})
    one, two = (result(libraries=(library(),), findings=(each,)) for each in (ties, ruled_out))
    assert compare_results(one, two).changes == (
        Change("applies", "alpha", "1.0", "alpha.ndcg", 20, "ties:item_desc", "ties:does not apply"),
    )
    unknown = result(libraries=(library(),), findings=(finding(unknown=("ties",)),))
    assert [change.kind for change in compare_results(one, unknown).changes] == ["known"]


def test_other_axes_of_the_reference_are_said() -> None:
    made = result(libraries=(library(),), findings=(finding(),))
    rows = tuple(
        row.model_copy(update={"definition": {**row.definition, "jitter": "no"}}) if row.metric == "ndcg" else row
        for row in made.reference
    )
    assert compare_results(made, made.model_copy(update={"reference": rows})).changes == (
        Change("space", "", "", "ndcg", 20, "jitter:no such axis", "jitter:no"),
    )
