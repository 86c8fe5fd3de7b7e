"""The test suite of signatures, as data that others can use: this tool passes it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from recsys_metric_audit import evaluate
from recsys_metric_audit.reference.definitions import definition as definitions
from recsys_metric_audit.reference.definitions.definition import SignatureError, parse

SUITE: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(definitions.__file__).with_name("suite.toml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("row", SUITE["reads"], ids=lambda row: row["text"])
def test_a_signature_reads_as_the_suite_says(row: dict[str, Any]) -> None:
    read = parse(row["text"])
    assert read.signature() == row["short"]
    assert {axis: read.axes[axis] for axis in read.differs_on} == row["changed"]
    assert parse(row["short"]) == read


@pytest.mark.parametrize("row", SUITE["refused"], ids=lambda row: row["text"] or "nothing")
def test_what_is_no_signature_is_refused_at_the_place_that_is_wrong(row: dict[str, Any]) -> None:
    with pytest.raises(SignatureError) as refused:
        parse(row["text"])
    assert refused.value.position == row["at"]


@pytest.mark.parametrize("row", SUITE["values"], ids=lambda row: row["signature"])
def test_a_signature_gives_the_value_worked_out_by_hand(row: dict[str, Any]) -> None:
    ranked, missed = row["ranked"], row["missed"]
    shown = [{"user": 1, "item": place, "score": -float(place)} for place in range(len(ranked))]
    relevant = [{"user": 1, "item": place, "gain": float(gain)} for place, gain in enumerate(ranked) if gain]
    relevant += [{"user": 1, "item": 100 + number, "gain": float(gain)} for number, gain in enumerate(missed)]
    found = evaluate(pd.DataFrame(shown), pd.DataFrame(relevant), 10, [row["signature"]])
    (value,) = (each.mean for each in found.values())
    assert value == pytest.approx(row["value"], abs=1e-12)
