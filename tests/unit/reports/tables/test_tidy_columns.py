"""Every column of the tidy table stands in the data dictionary, in the words of its field and with its type."""

from __future__ import annotations

from io import BytesIO

import pyarrow.parquet as pq
import pytest

from recsys_metric_audit.reports.model.result import Finding
from recsys_metric_audit.reports.renderers.data_files import dictionary_table, findings_parquet
from recsys_metric_audit.reports.tables.tidy_columns import COLUMNS, TIDY_COLUMNS, TYPE_MEANINGS, TidyColumn
from recsys_metric_audit.reports.tables.tidy_rows import tidy_rows
from tests.support.result_samples import small_result

ARROW = {"text": "string", "number": "double", "integer": "int64", "flag": "bool"}


def test_every_column_of_a_row_is_in_the_dictionary_with_its_meaning() -> None:
    table = dictionary_table()
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
