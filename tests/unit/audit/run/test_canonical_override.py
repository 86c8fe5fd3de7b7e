"""The canonical definition can be overridden: verdict, differences, witness and reference rows follow it."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.findings.finding import Subject, make_finding
from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import Request, run
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.result import Finding
from tests.support.identified import identified
from tests.support.observed_definitions import DATA, observation_of
from tests.support.one_metric_library import GOOD, KS, TOML, Endings, by_hand, ensure

MIN = parse("recall@k|denominator:min")


def judged(computes: str, override: str | None) -> Finding:
    function = Function(name="lib.f", metric="recall").against(None if override is None else parse(override))
    observation = observation_of(computes)
    return make_finding(Subject("lib", "1.0", function), 3, observation, identified(observation, "recall"), DATA)


def test_what_is_held_against_agrees() -> None:
    row = judged("recall@k|denominator:min", "recall@k|denominator:min")
    assert (row.verdict, row.differs_on, row.classes, row.witness) == ("agrees", (), (), None)
    assert row.signature == "recall@3|denominator:min" and row.decomposition == ()


def test_the_built_in_canonical_definition_becomes_a_variant() -> None:
    row = judged("recall@k", "recall@k|denominator:min")
    assert (row.verdict, row.signature) == ("variant", "recall@3")
    assert (row.differs_on, row.classes) == (("denominator",), ("canonical-overridden",))
    assert row.witness is not None and row.witness.text.startswith("recall@k|denominator:min")
    assert [step.signature for step in row.decomposition] == ["recall@3|denominator:min", "recall@3"]


@pytest.mark.slow
def test_axes_are_those_on_which_the_two_differ() -> None:
    row = judged("recall@k|denominator:min|users:both", "recall@k|denominator:min")
    assert (row.differs_on, row.classes) == (("users",), ("averaged-users",))
    assert judged("recall@k|denominator:min|users:both", None).differs_on == ("denominator", "users")


@pytest.mark.slow
def test_a_run_shows_the_override_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "ensure", ensure)
    folder = tmp_path / "good"
    folder.mkdir()
    (folder / "library.toml").write_text(TOML)
    (folder / "adapter.py").write_text(GOOD)
    manifest = load(folder)
    override = parse("precision@k|denominator:min")
    request = Request(
        ((manifest, manifest.versions[0]),), data.load("synthetic:20x30"), KS, 1, Limits(seconds=60), "audit run",
        canonical={"precision": override},
    )  # fmt: skip
    result = run(request, Endings())
    shown = {row.k: row for row in result.reference if row.metric == "precision"}
    assert shown[5].signature == "precision@5|denominator:min" and shown[5].definition["denominator"] == "min"
    assert shown[5].value >= by_hand(5)
    assert any(
        "precision is held against precision@k|denominator:min" in text for text in result.dataset.choices.values()
    )
    row = next(each for each in result.findings if each.k == 5)
    assert (row.verdict, row.signature, row.differs_on) == ("variant", "precision@5", ("denominator",))
    assert row.witness is not None and row.witness.canonical_value != row.witness.library_value
