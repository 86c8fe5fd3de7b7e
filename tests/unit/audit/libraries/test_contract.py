"""What a function takes rules axes out, each with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from recsys_metric_audit.audit.libraries.contract import Gains, Input, Made, Takes, Truth, ruled_out
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.reference.metrics import FAMILIES
from recsys_metric_audit.reference.space.contract_words import MEANING, RULED_OUT
from tests.support.fake_libraries import write_library
from tests.support.own_libraries import own_libraries

AXES = {axis.name for metric in FAMILIES.values() for axis in metric.all_axes}


def test_every_word_has_its_meaning_and_its_rules() -> None:
    words = {*get_args(Input), *get_args(Truth), *get_args(Gains)}
    assert set(MEANING) == set(RULED_OUT) == words
    assert {axis for rules in RULED_OUT.values() for axis in rules} <= AXES


@pytest.mark.parametrize(
    ("takes", "axes"),
    [
        (Takes(), set()),
        (Takes(input="ranked"), {"order", "ties", "tied_scores", "counted_scores"}),
        (Takes(input="ranks"), {"order", "ties", "tied_scores", "counted_scores"}),
        (Takes(input="matrix"), {"order", "duplicates"}),
        (Takes(input="labels"), {"relevance", "truth_duplicates", "unlisted", "candidates", "truth"}),
        (Takes(input="pairs"), {"order", "ties", "positions"}),
        (Takes(truth="set"), {"truth_duplicates", "relevance"}),
        (Takes(truth="list"), {"relevance"}),
        (Takes(gains="whole"), set()),
        (Takes(input="pairs", truth="set"), {"order", "ties", "positions", "truth_duplicates", "relevance"}),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(takes: Takes, axes: set[str]) -> None:
    assert set(takes.ruled_out()) == axes
    assert all(takes.ruled_out().values())


def test_what_the_adapter_decides_is_ruled_out_with_the_adapters_words() -> None:
    made = Made(what="labels: 1 from the threshold up", decides=("relevance",))
    assert ruled_out(Takes(), [made]) == {"relevance": "the adapter's doing: labels: 1 from the threshold up"}


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(ValidationError):
        Takes.model_validate({"input": "lists"})


def test_a_contract_in_words() -> None:
    said = Takes(input="matrix", truth="set", gains="whole").in_words()
    assert said.startswith("a score for every item") and said.endswith("whole gains from 0 up only")


def test_a_library_toml_states_contracts_and_what_the_adapter_makes(tmp_path: Path) -> None:
    manifest, _ = write_library(tmp_path / "fake")
    with (manifest.folder / "library.toml").open("a") as file:  # [[function]] stands last
        file.write('takes = { input = "ranked" }\ncalled_with = [{ what = "a mask", decides = ["duplicates"] }]\n')
    (stated,) = load(manifest.folder).functions
    assert set(stated.ruled_out) == {"order", "ties", "tied_scores", "counted_scores", "duplicates"}


@pytest.mark.parametrize(
    "function", [f for m in own_libraries().values() for f in m.functions], ids=lambda each: each.name
)
def test_every_axis_that_an_adapter_decides_exists(function: Function) -> None:
    assert {axis for made in function.called_with for axis in made.axes} <= AXES
    family = FAMILIES[function.metric]
    assert all(family.axis(axis).admits(value) for made in function.called_with for axis, value in made.values.items()
               if axis in family.canonical)  # fmt: skip
