"""CSV and Parquet."""

from __future__ import annotations

import io
import math

import pyarrow.parquet as pq

from recsys_metric_audit.reports.renderers import data_files
from recsys_metric_audit.reports.tables.tidy_columns import TIDY_COLUMNS
from recsys_metric_audit.reports.tables.tidy_rows import tidy_rows
from tests.support.result_samples import (
    small_result,
)

NO_EFFECT, NO_STATES = "," * 5, "," * 7
CSV = (
    "library,version,function,metric,k,status,verdict,value,canonical_value,same_value,effect_formula,"
    "effect_who_counts,effect_input,effect_total,signature,formula,differs_on,differs_formula,differs_who_counts,"
    "differs_input,unknown,cannot_matter,does_not_apply,documented_by,classes,equivalent,"
    "claimed,matches_claim,reason,live,python,dataset,dataset_digest\r\n"
    f"alpha,1.0,alpha.average_precision,average_precision,20,measured,agrees,0.0391,0.0391{NO_EFFECT},"
    f"average_precision@20,average_precision@20,{NO_STATES},,,,,,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
    f"alpha,1.0,alpha.recall,recall,20,measured,agrees,nan,0.0957{NO_EFFECT},recall@20,recall@20,{NO_STATES},,,,,,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
    f"beta,2_3,beta.average_precision,average_precision,20,measured,variant,0.0321,0.0391{NO_EFFECT},"
    "average_precision@20|denominator:r,average_precision@20|denominator:r,denominator,denominator,,,,,,,"
    "wrong-denominator,,,,,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
    f"beta,2_3,beta.recall,recall,20,failed,,,0.0957{NO_EFFECT},,,{NO_STATES},,,,,'=cmd|' /C calc'!A0,"
    'true,3.11.9,"MovieLens-100K, EASE",sha256:D\r\n'
)


def test_csv_has_a_row_for_each_finding_and_runs_nothing() -> None:
    data = small_result().dataset.model_copy(update={"digest": "sha256:D"})
    assert data_files.as_csv(TIDY_COLUMNS, tidy_rows(small_result(dataset=data))) == CSV


def test_parquet_keeps_types_and_every_digit() -> None:
    table = pq.read_table(io.BytesIO(data_files.as_parquet(TIDY_COLUMNS, tidy_rows(small_result()))))
    assert table.column_names == list(TIDY_COLUMNS)
    assert str(table.schema.field("value").type) == "double"
    values = table["value"].to_pylist()
    assert values[0] == 0.0391 and math.isnan(values[1]) and values[3] is None
    assert table["k"].to_pylist() == [20, 20, 20, 20]
    assert table["reason"].to_pylist()[3] == "=cmd|' /C calc'!A0", "nothing is changed where nothing is run"
