"""Drift in every format, against texts written by hand."""

from __future__ import annotations

import json

from recsys_metric_audit.reports.model.level_meaning import Move
from recsys_metric_audit.reports.pins.drift import Drift
from recsys_metric_audit.reports.renderers.drift_formats import as_annotations, as_json, as_pull_request, as_text

CHANGED = Drift(
    "a", "2.0", "a.ndcg", "changed", "ndcg@k (agrees)", "ndcg@k|gain:exp2 (variant)",
    (Move("gain", "binary", "exp2"),), "one user, 100%", "1.0", ("formula",),
)  # fmt: skip


def test_plain_text() -> None:
    assert as_text([CHANGED]) == (
        "a 2.0: a.ndcg computes another formula since 1.0\n"
        "  before    ndcg@k (agrees)\n"
        "  now       ndcg@k|gain:exp2 (variant)\n"
        "  moved     gain: binary → exp2 (formula)\n"
        "  witness   one user, 100%"
    )
    assert as_text([Drift("a", "2.0", "", "unaccepted")]) == "a 2.0 has nothing accepted to be held against"


TIES = Drift(
    "a", "1.0", "a.ndcg", "changed", "ndcg@k", "ndcg@k|ties:best", (Move("ties", "given", "best", "input"),), "", "1.0",
    ("input",),
)  # fmt: skip
KNOWN = Drift(
    "a", "1.0", "a.ndcg", "known", "ndcg@k", "ndcg@k", (Move("users", "both", "not known", "who_counts", "unknown"),)
)


def test_a_warning_is_called_one() -> None:
    assert as_text([TIES]) == (
        "warning: a 1.0: a.ndcg handles unusual input otherwise\n"
        "  expected  ndcg@k\n"
        "  found     ndcg@k|ties:best\n"
        "  moved     ties: given → best (input handling)"
    )
    assert as_text([KNOWN]).splitlines()[-1] == "  not known users: both → not known (who counts)"
    assert as_annotations([(TIES, "f")]).startswith("::warning file=f,title=")
    assert as_annotations([(TIES, "f")], strict=True).startswith("::error file=f,title=")
    assert json.loads(as_json([TIES]))[0]["severity"] == "warning"


def test_annotations_are_escaped_as_github_asks() -> None:
    (line,) = as_annotations([(CHANGED, "a,b:c.json")]).splitlines()
    assert line == (
        "::error file=a%2Cb%3Ac.json,title=a 2.0%3A a.ndcg computes another formula since 1.0::"
        "before: ndcg@k (agrees)%0Anow: ndcg@k|gain:exp2 (variant)%0Amoved: gain: binary → exp2 (formula)%0A"
        "witness: one user, 100%25"
    )


def test_a_pull_request_says_what_changed_and_what_did_not() -> None:
    assert as_pull_request("New versions", [CHANGED], 7).splitlines() == [
        "# New versions", "", "## `a.ndcg` computes another formula", "", "| | |", "|---|---|",
        "| before | `ndcg@k (agrees)` |", "| now | `ndcg@k\\|gain:exp2 (variant)` |",
        "| moved | gain: binary → exp2 (formula) |",
        "| witness | one user, 100% |", "", "7 functions compute what they did.",
    ]  # fmt: skip
    assert as_pull_request("New versions", [], 0) == "# New versions\n\nNothing to compare.\n"


def test_json_has_the_fields_of_drift() -> None:
    (found,) = json.loads(as_json([CHANGED]))
    assert found["moves"] == [{"name": "gain", "old": "binary", "new": "exp2", "level": "formula", "kind": "changed"}]
    assert (found["levels"], found["severity"]) == (["formula"], "error")
    assert (found["kind"], found["against"]) == ("changed", "1.0")
