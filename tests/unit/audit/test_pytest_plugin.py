"""The pytest plugin, in test runs of its own."""

from __future__ import annotations

import subprocess
import sys

import pandas  # noqa: F401 (numpy loads once a process; what a run within this one imports is forgotten)
import pytest

import recsys_metric_audit.audit.inhouse.identify_function  # noqa: F401

pytestmark = pytest.mark.slow  # processes of their own, or whole audits

pytest_plugins = ["pytester"]
FUNCTIONS = """
    from math import log2

    def dcg(gains):
        return sum((2 ** gain - 1) / log2(rank + 1) for rank, gain in enumerate(gains, 1))

    def ndcg(recommended, relevant, k):
        shown = [relevant.get(item, 0) for item in recommended[:k]]
        return dcg(shown) / dcg(sorted(relevant.values(), reverse=True)[:k])
"""


def run(pytester: pytest.Pytester, body: str) -> pytest.RunResult:
    pytester.makepyfile(metrics=FUNCTIONS, test_own="from metrics import ndcg\n" + body)
    return pytester.runpytest_inprocess("-p", "recsys_metric_audit.audit.pytest_plugin")


def test_what_is_computed_passes(pytester: pytest.Pytester) -> None:
    body = """
def test_ndcg(assert_computes):
    assert_computes(ndcg, "ndcg@k|gain:exp2")

def test_at_one_cutoff(assert_computes):
    assert_computes(ndcg, "ndcg@10|gain:exp2")

def test_a_closure_over_frames(assert_computes):
    def recall(predictions, truth, k):
        values = []
        ranked = predictions.sort_values("score", ascending=False, kind="stable")
        for user, rows in truth.groupby("user"):
            top = ranked[ranked["user"] == user]["item"][:k]
            values.append(sum(rows["item"].isin(top)) / len(rows))
        return sum(values) / len(values)

    assert_computes(recall, "recall@k|duplicates:first_in_place", frames=True)
"""
    run(pytester, body).assert_outcomes(passed=3)


def test_a_failure_can_be_read(pytester: pytest.Pytester) -> None:
    done = run(pytester, '\ndef test_ndcg(assert_computes):\n    assert_computes(ndcg, "ndcg@k|ideal:all")\n')
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([
        "*AssertionError: ndcg computes something else",
        "*expected   ndcg@k|ideal:all",
        "*computes   ndcg@k|gain:exp2|no_hit:error",
        "*differs    gain: binary expected, exp2 found (formula)",
        "*differs    ideal: all expected, k found (formula)",
        "*for example k = *, recommended [[]*[]], relevant {*}",
        "* expected, it returned *",
        "*called     as function(recommended items, relevant items, k) for each user; shape= names another",
    ])  # fmt: skip
    assert "pytest_plugin.py" not in done.stdout.str()


@pytest.mark.parametrize(
    ("signature", "said"),
    [("ndcg@k|gian:exp2", "did you mean 'gain'?"), ("ndcg@k|users:both", "this call does not show users")],
)
def test_a_signature_that_cannot_be_checked_is_an_error(pytester: pytest.Pytester, signature: str, said: str) -> None:
    done = run(pytester, f'\ndef test_ndcg(assert_computes):\n    assert_computes(ndcg, "{signature}")\n')
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([f"*{said}*"])


def test_a_function_that_raises_fails_with_its_words(pytester: pytest.Pytester) -> None:
    body = """
def test_it(assert_computes):
    def broken(recommended, relevant, k):
        raise KeyError("gain")
    assert_computes(broken, "ndcg@k")
"""
    done = run(pytester, body)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*computes   nothing: *broken raised KeyError: 'gain'", "*it is called as function(*"])


def test_the_probe_cases_are_fixtures(pytester: pytest.Pytester) -> None:
    body = """
def test_lists(list_probes):
    assert len({probe.k for probe in list_probes}) > 3
    for probe in list_probes:
        if probe.recommended:  # an empty list may raise
            ndcg(probe.recommended, probe.relevant, probe.k)

def test_frames(frame_probes):
    for probe in frame_probes:
        assert list(probe.predictions) == ["user", "item", "score"] and list(probe.truth) == ["user", "item", "gain"]
    assert any(probe.predictions["user"].nunique() > 3 for probe in frame_probes) and all(p.why for p in frame_probes)
"""
    run(pytester, body).assert_outcomes(passed=2)


def test_loading_the_plugin_costs_nothing() -> None:
    code = "import sys, recsys_metric_audit.audit.pytest_plugin\n"
    code += "print(sorted({'numpy', 'pandas', 'pydantic'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
