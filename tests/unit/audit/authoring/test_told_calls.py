"""Calls that a user tells: what they name, what they import, and the function that is written for each."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.authoring.told_calls import functions_of_calls, told_calls
from recsys_metric_audit.audit.errors import UserError


def test_a_call_names_its_metric_its_modules_and_its_path() -> None:
    (told,) = told_calls(['map=lib.Evaluator(truth, {f"map.{k}"}).evaluate(shown)'], "dicts")
    assert (told.metric, told.path) == ("average_precision", "lib.Evaluator.evaluate[map]")
    assert told.chains == ("lib.Evaluator",)


def test_neither_variables_nor_builtins_are_taken_for_modules() -> None:
    text = "recall=a.b.recall({u: int(g) for u, g in truth.items()}, sorted(shown, key=lambda row: row), c.D @ k)[c.D]"
    (told,) = told_calls([text], "dicts")
    assert sorted(told.chains) == ["a.b.recall", "c.D"]
    assert told.path == "a.b.recall[recall]"


@pytest.mark.parametrize(
    ("like", "text", "call"),
    [
        ("dicts", "ndcg=lib.f(truth, shown, k)", "of_users(lib.f(data.truth, data.shown, k))"),
        ("per-list", "ndcg=lib.f(relevant, recommended[:k])",
         "each_user(data, lambda relevant, recommended: lib.f(relevant, recommended[:k]))"),
        ("tensors", "ndcg=lib.f(preds, target)", "each_user(data, lambda preds, target: lib.f(preds, target))"),
    ],
)  # fmt: skip
def test_each_form_reads_what_its_adapter_prepares(like: str, text: str, call: str) -> None:
    (made,) = functions_of_calls(told_calls([text], like))
    assert made.call == call
    assert made.cutoff == ("k" if "k)" in text or "k]" in text else None)


def test_functions_get_names_that_hide_nothing() -> None:
    made = functions_of_calls(told_calls(["map=lib.f(truth, shown)", "MAP=lib.g(truth, shown)"], "dicts"))
    assert [each.python_name for each in made] == ["f_map", "g_map"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lib.f(truth, shown)", "names no metric"),
        ("f(a=truth)", "names no metric"),
        ("ndgc=lib.f(truth, shown)", "is no metric known here"),
        ("ndcg=lib.f(truth, shown", "is no expression: '(' was never closed at column"),
        ("ndcg=lib.f(truth, k)", "does not read shown"),
        ("ndcg=truth + shown", "calls nothing"),
        ("ndcg=", "is no expression"),
    ],
)
def test_what_is_no_call_of_a_metric_is_refused(text: str, said: str) -> None:
    with pytest.raises(UserError, match="--call") as caught:
        told_calls([text], "dicts")
    assert said in caught.value.message and caught.value.hint


def test_one_call_told_twice_is_refused() -> None:
    with pytest.raises(UserError, match="told twice"):
        told_calls(["ndcg=lib.f(truth, shown)", "ndcg=lib.f(truth, shown, k)"], "dicts")
