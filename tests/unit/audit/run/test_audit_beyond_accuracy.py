"""An audit of functions beyond accuracy from their calls to their findings, beside one that reads what is relevant."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import Request, run
from recsys_metric_audit.reports.model.result import Finding
from tests.support.one_metric_library import DATASET, GOOD, KS, TOML, Endings, by_hand, ensure

pytestmark = [pytest.mark.slow, pytest.mark.long]  # processes of their own

FUNCTIONS = """\

def lists(case, k):
    made = {}
    rows = zip(case.recommended.user.tolist(), case.recommended.item.tolist(), case.recommended.score.tolist())
    for user, item, score in rows:
        made.setdefault(user, []).append((-score, item))
    return {user: [item for _, item in sorted(own)[:k]] for user, own in made.items()}

def covered(case, k):
    return 100 * len({item for own in lists(case, k).values() for item in own}) / len(set(case.catalogue.tolist()))

def popularity(case, k):
    train = case.train.item.tolist()
    values = {user: sum(map(train.count, own)) / k for user, own in lists(case, k).items()}
    return sum(values.values()) / len(values), list(values), list(values.values())

def squares(case, k):
    return covered(case, k) ** 2

FUNCTIONS.update({"statistics.median": covered, "statistics.mode": popularity, "statistics.stdev": squares})
"""
MORE = """
[[function]]
name = "statistics.median"
metric = "catalogue_coverage"
claims = "catalogue_coverage@k|unit:share"
where = "its documentation"

[[function]]
name = "statistics.mode"
metric = "average_popularity"

[[function]]
name = "statistics.stdev"
metric = "catalogue_coverage"
"""


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    folder = tmp_path_factory.mktemp("library") / "good"
    folder.mkdir()
    (folder / "library.toml").write_text(TOML + MORE)
    (folder / "adapter.py").write_text(GOOD + FUNCTIONS)
    manifest = load(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(environment, "ensure", ensure)
        request = Request(
            ((manifest, manifest.versions[0]),), data.load(DATASET), KS, 1, Limits(seconds=60), "audit run"
        )
        found = run(request, Endings()).findings
    return {name: [each for each in found if each.function == name] for name in {each.function for each in found}}


def test_a_function_of_relevance_is_found_as_without_them(findings: dict[str, list[Finding]]) -> None:
    for finding in findings["statistics.mean"]:
        assert (finding.verdict, finding.behaviours != {}) == ("agrees", True)
        assert finding.k is not None and finding.value == pytest.approx(by_hand(finding.k), abs=1e-12)


def test_coverage_is_identified_on_all_levels_and_held_against_its_claim(findings: dict[str, list[Finding]]) -> None:
    for finding in findings["statistics.median"]:
        expected = f"catalogue_coverage@{finding.k}|unit:percent|ties:item_asc"
        assert (finding.signature, finding.verdict) == (expected, "undocumented")
        assert finding.matches_claim is False and finding.claim_witness is not None
        assert finding.levels == {"formula": ("unit",), "who_counts": (), "input": ("ties",)}
        assert finding.witness is not None and finding.witness.worked
        assert finding.evidence.held_out_cases > 5 and not finding.unknown


def test_a_mean_over_users_is_identified_with_what_nobody_counts_as(findings: dict[str, list[Finding]]) -> None:
    for finding in findings["statistics.mode"]:
        assert finding.signature == f"average_popularity@{finding.k}|denominator:k|nobody:error|ties:item_asc"
        assert sum(each.users for each in finding.scatter) == 20


def test_what_is_no_known_formula_stays_unexplained(findings: dict[str, list[Finding]]) -> None:
    for finding in findings["statistics.stdev"]:
        assert finding.verdict == "unexplained" and finding.signature is None
        assert "No definition predicts" in finding.evidence.unpredicted
