"""Provides the calls of found functions, as an adapter of each form writes them."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from recsys_metric_audit.audit.authoring.package_functions import MetricFunction

Like = Literal["dicts", "frames", "matrix", "tensors", "per-list", "model"]


@dataclass(frozen=True)
class Form:
    """Holds what a form's functions take: two things of ``data``, truth first, or one user's pair; and its contract."""

    truth: str
    shown: str
    takes: Mapping[str, str]
    called_with: str = ""
    decides: tuple[str, ...] = ()
    requires: tuple[str, ...] = ("numpy",)
    checks: bool = False


_MATRIX: Final = (
    "a row of true gains and a row of scores for each user; an item without a score gets one below the user's lowest"
)

FORMS: Final[Mapping[str, Form]] = {
    "dicts": Form(
        "data.truth", "data.shown", {"input": "scores"},
        "a dictionary of gains and one of scores for each user, by ids as text", ("duplicates", "truth_duplicates"),
    ),
    "frames": Form("data.truth", "data.shown", {"input": "scores"}, requires=("numpy", "pandas<3")),
    "matrix": Form(
        "data.truth", "data.shown", {"input": "matrix"}, _MATRIX, ("unlisted", "truth_duplicates"), checks=True,
    ),
    "tensors": Form(
        "target", "preds", {"input": "labels"}, "a label for every recommended item, 1 from the threshold up",
        ("relevance:at_least_t", "duplicates"), ("numpy", "torch"), checks=True,
    ),
    "per-list": Form(
        "relevant", "recommended", {"input": "ranked", "truth": "list"}, "the lists of each user with relevant items",
        ("users",),
    ),
    "model": Form(
        "data.truth", "data.shown", {"input": "matrix", "truth": "set"},
        "a stub of a model that returns the given scores; an item without a score gets one below the user's lowest",
        ("unlisted", "short_lists"), ("numpy", "scipy"), checks=True,
    ),
}  # fmt: skip
"""What the functions of each form take."""

_OWN: Final = ("check", "prepare", "each_user", "of_users", "dictionaries", "numbers")
"""Functions that adapters of a form have."""
_QUERY_INDEX: Final = ("indexes", "index", "query_ids", "group_ids", "groups", "qid")


@dataclass(frozen=True)
class GeneratedCall:
    """A function of the adapter: its own name, the path that it answers for, and the expression that it returns."""

    path: str
    python_name: str
    call: str
    metric: str
    cutoff: str | None


def generated_calls(functions: tuple[MetricFunction, ...], like: str) -> tuple[GeneratedCall, ...]:
    """Return the call of each function in the form ``like``, each under a name of its own."""
    taken: set[str] = set()
    made = []
    for each in functions:
        name = python_name(each.path, taken)
        taken.add(name)
        made.append(GeneratedCall(each.path, name, _call(each, like), each.metric, each.cutoff))
    return tuple(made)


def python_name(path: str, taken: set[str]) -> str:
    """Return a name for the function of an adapter that calls ``path``, other than those ``taken``."""
    parts = path.split(".")
    for depth in range(1, len(parts) + 1):
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", "_".join(parts[-depth:])).lower()
        if name not in taken and name not in _OWN and not keyword.iskeyword(name) and not hasattr(builtins, name):
            return name
    return f"{name}_{len(taken)}"


def _call(function: MetricFunction, like: str) -> str:
    form = FORMS[like]
    extra = [f"{own}={value}" for own, value in _further(function, like)]
    cut = f"{function.cutoff}=k" if function.cutoff else ""
    if function.kind == "class":
        built = f"{function.path}({cut if function.cutoff in function.parameters else ''})"
        target = built if function.method == "__call__" else f"{built}.{function.method}"
        here = cut if function.cutoff in function.given and function.cutoff not in function.parameters else ""
    else:
        target, here = function.path, cut
    if like == "tensors" and extra:  # it is given the user of each row: all users in one call
        given = ["data.target", "data.preds"] if function.truth_first else ["data.preds", "data.target"]
        return _written(target, given, extra, here)
    given = [form.truth, form.shown] if function.truth_first and like != "model" else [form.shown, form.truth]
    inner = _written(target, given, extra, here)
    return call_of_each_user(like, inner) if like in ("tensors", "per-list") else inner


def call_of_each_user(like: str, call: str) -> str:
    """Return the call of each user's truth and recommendations, in the forms that have a user at a time."""
    return f"each_user(data, lambda {_pair(like)}: {call})"


def _written(target: str, given: list[str], extra: list[str], cut: str) -> str:
    call = f"{target}({', '.join([*given, *extra, *filter(None, [cut])])})"
    return f"{call}.compute()" if target.endswith(".update") else call


def _pair(like: str) -> str:
    return "preds, target" if like == "tensors" else "relevant, recommended"


def _further(function: MetricFunction, like: str) -> list[tuple[str, str]]:
    """Return the further arguments that a form knows: the user of each row, the train data."""
    if like == "tensors":
        return [(each, "data.indexes") for each in function.given if each in _QUERY_INDEX]
    if like == "model":
        names = {"train_interactions", "train_user_items", "train"}
        return [(each, "data.train") for each in function.given if each in names]
    return []
