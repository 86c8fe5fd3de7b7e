"""The JSON Schema in the repository describes what is written."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from recsys_metric_audit.reports.model import schema
from recsys_metric_audit.reports.model.result_file import result_json
from tests.support.extreme_results import hostile
from tests.support.result_samples import result


def test_the_schema_in_the_repository_is_up_to_date() -> None:
    assert schema.PATH.read_text(encoding="utf-8") == schema.schema_text(), (
        "renew it: python -m recsys_metric_audit.reports.model.schema"
    )


@pytest.mark.parametrize("made", [result, hostile])
def test_what_is_written_fits_the_schema(made: Any) -> None:
    rules = json.loads(schema.PATH.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(rules)
    jsonschema.Draft202012Validator(rules).validate(json.loads(result_json(made())))


@pytest.mark.parametrize(
    ("place", "value"),
    [("value", "many"), ("value", None), ("verdict", "perhaps"), ("k", "twenty"), ("mood", "good")],
)
def test_the_schema_refuses_what_is_wrong(place: str, value: Any) -> None:
    rules = json.loads(schema.PATH.read_text(encoding="utf-8"))
    document = json.loads(result_json(result()))
    document["findings"][0][place] = value
    errors = list(jsonschema.Draft202012Validator(rules).iter_errors(document))
    assert bool(errors) == ((place, value) != ("value", None))
