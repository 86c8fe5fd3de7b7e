"""The dataset and our own values on it, by hand on a few lists."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run.dataset_rows import dataset_row, reference_rows
from recsys_metric_audit.audit.run.request import Request
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.input.case import Predictions
from tests.support.observed_definitions import CASE, DATA
from tests.support.one_metric_library import TOML

SMALL = replace(data.load("synthetic:5x20"), case=CASE)


def test_every_metric_has_a_value_at_every_cutoff() -> None:
    rows = reference_rows(DATA, Request((), SMALL, (1, 3), 1, Limits(), "audit run"))
    by_hand = {("recall", 1): (0 + 1) / 2, ("recall", 3): (1 / 4 + 1) / 2, ("precision", 3): 1 / 3}
    assert {(row.metric, row.k): row.value for row in rows if (row.metric, row.k) in by_hand} == by_hand
    assert [row.k for row in rows if row.metric == "auc"] == [None]
    assert all(row.by_recommender == {} for row in rows)


def test_an_override_takes_the_place_of_the_canonical_definition() -> None:
    override = parse("recall@k|denominator:min")
    rows = reference_rows(DATA, Request((), SMALL, (3,), 1, Limits(), "", canonical={"recall": override}))
    row = next(row for row in rows if row.metric == "recall")
    assert (row.signature, row.value) == ("recall@3|denominator:min", (1 / 3 + 1) / 2)
    described = dataset_row(SMALL, {"recall": override})
    assert any("recall is held against recall@k|denominator:min" in text for text in described.choices.values())
    assert len(dataset_row(SMALL, {}).choices) == len(described.choices) - 1


def test_other_recommenders_stand_beside_the_first() -> None:
    nothing = replace(CASE, predictions=Predictions(CASE.truth.user, CASE.truth.item + 1000, CASE.truth.gain))
    request = Request((), SMALL, (3,), 1, Limits(), "", "first", {"hopeless": nothing})
    row = next(row for row in reference_rows(DATA, request) if row.metric == "recall")
    assert row.by_recommender == {"first": (1 / 4 + 1) / 2, "hopeless": 0.0}


def test_only_metrics_that_somebody_offers_are_computed(tmp_path: Path) -> None:
    (tmp_path / "library.toml").write_text(TOML.replace('"precision"', '"recall"'))
    manifest = load(tmp_path)
    rows = reference_rows(DATA, Request(((manifest, manifest.versions[0]),), SMALL, (1, 3), 1, Limits(), ""))
    assert [(row.metric, row.k, row.value) for row in rows] == [("recall", 1, 1 / 2), ("recall", 3, (1 / 4 + 1) / 2)]
