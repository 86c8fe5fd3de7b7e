"""How a fault of a library.toml is called: the table by its name, the key, what is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from recsys_metric_audit.audit.libraries.complaints import complaints


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = ""
    version: str = ""
    paths: list[str] = []
    number: int | bool = 0
    words: dict[str, int] = {}


class Document(BaseModel):
    row: list[Row]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"name": "f", "nummer": 1}, ["row f: nummer: no such key; did you mean number?"]),
        ({"version": "1.0", "xyzzy": 1}, ["row 1.0: xyzzy: no such key"]),
        ({"paths": ["a.{name}"], "words": {"one": "1x"}},
         ["row a.{name}: words: one: Input should be a valid integer, unable to parse string as an integer"]),
        ({"words": 3}, ["row number 1: words: Input should be a valid dictionary"]),
        ({"name": "f", "number": "?"},
         ["row f: number: Input should be a valid integer, unable to parse string as an integer",
          "row f: number: Input should be a valid boolean, unable to interpret input"]),
        ({"name": "f", "paths": ["a", 1]}, ["row f: paths: 2: Input should be a valid string"]),
    ],
)  # fmt: skip
def test_a_fault_is_called_by_table_and_key(row: dict[str, Any], expected: list[str]) -> None:
    document = {"row": [row]}
    with pytest.raises(ValidationError) as caught:
        Document.model_validate(document)
    assert complaints(caught.value, document, ["number", "name"]) == expected


def test_a_table_that_is_missing_is_named() -> None:
    with pytest.raises(ValidationError) as caught:
        Document.model_validate({})
    assert complaints(caught.value, {}, []) == ["row: is missing"]
