"""Audit one version on large data: ask for means of all users and for values of some of them, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.data import large_data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import Request, run
from recsys_metric_audit.reports.model.result import USERS_DRAWN, Finding
from tests.support.one_metric_library import DATASET, GOOD, KS, TOML, Endings, by_hand, ensure

pytestmark = [pytest.mark.slow, pytest.mark.long]  # processes of their own

BOTH = GOOD.replace(
    "    return sum(values)",
    """\
    if len(case.recommended.user) > LARGE:
        raise SystemError("users' values are not to be asked here")
    mean = sum(values) / len(values) if values else float("nan")
    return mean, sorted(relevant), values
    return sum(values)""",
)
"""An adapter whose calls give values of users too, and which refuses large data."""


def audited(
    folder: Path, monkeypatch: pytest.MonkeyPatch, means: str, large: int, refused: int | None = None
) -> tuple[Finding, ...]:  # fmt: skip
    """Audit on data that are large from more than ``large`` rows; the adapter refuses more than ``refused``."""
    monkeypatch.setattr(environment, "ensure", ensure)
    monkeypatch.setattr(large_data, "LARGE", large)
    monkeypatch.setattr(large_data, "SAMPLE_USERS", 7)
    (folder / "good").mkdir()
    (folder / "good" / "library.toml").write_text(TOML.replace('python = "3.11"', f'python = "3.11"\n{means}'))
    (folder / "good" / "adapter.py").write_text(BOTH.replace("LARGE", str(large if refused is None else refused)))
    (folder / "good" / "means.py").write_text(GOOD)
    manifest = load(folder / "good")
    request = Request(((manifest, manifest.versions[0]),), data.load(DATASET), KS, 1, Limits(seconds=60), "audit run")
    return run(request, Endings()).findings


def test_large_data_are_asked_for_means_and_a_sample_for_the_values_of_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = audited(tmp_path, monkeypatch, 'means = "means.py"', 500)
    assert len(data.load(DATASET).case.predictions.user) > 500
    for finding in found:
        assert finding.k is not None and finding.value == pytest.approx(by_hand(finding.k), abs=1e-12)
        assert finding.verdict == "agrees"
        assert sum(each.users for each in finding.scatter) == 7
        assert all(each.canonical == each.library for each in finding.scatter)
        assert finding.evidence.range[USERS_DRAWN] == "7 of 20 users, drawn with the seed 1"
        assert finding.evidence.range["data"] == "the mean"


def test_large_data_without_calls_for_means_are_asked_once_and_a_sample_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for finding in audited(tmp_path, monkeypatch, "", 500, refused=10_000):
        assert finding.k is not None and finding.value == pytest.approx(by_hand(finding.k), abs=1e-12)
        assert finding.verdict == "agrees"
        assert sum(each.users for each in finding.scatter) == 7
        assert finding.evidence.range[USERS_DRAWN] == "7 of 20 users, drawn with the seed 1"


def test_other_data_are_asked_for_the_values_of_all_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for finding in audited(tmp_path, monkeypatch, 'means = "means.py"', 10_000):
        assert sum(each.users for each in finding.scatter) == 20
        assert USERS_DRAWN not in finding.evidence.range
