"""A case becomes the calls of its author: one list and one dict for each user, or two DataFrames."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from audit.inhouse.caller import ask_frames, ask_lists, load, module_name


def case(users: list[int]) -> SimpleNamespace:
    """User u is recommended the items 10·u and 10·u + 1; the second is relevant with gain u."""
    user = np.array(users)
    return SimpleNamespace(
        recommended=SimpleNamespace(
            user=np.repeat(user, 2),
            item=np.array([[10 * u, 10 * u + 1] for u in users]).ravel(),
            score=np.ones(2 * len(users)),
        ),
        relevant=SimpleNamespace(user=user, item=10 * user + 1, gain=user.astype(float)),
    )


def test_one_user_gives_one_value() -> None:
    calls = []

    def metric(recommended: list[int], relevant: dict[int, float], k: int) -> float:
        calls.append((recommended, relevant, k))
        return 0.5

    assert ask_lists(metric, case([3]), 7, float) == 0.5
    assert calls == [([30, 31], {31: 3.0}, 7)]


def test_several_users_give_a_value_each_and_no_mean() -> None:
    assert ask_lists(lambda _, relevant, k: k * sum(relevant.values()), case([3, 1]), 2, float) == (
        None,
        [3, 1],
        [6, 2],
    )


def test_a_user_of_the_truth_without_a_list_is_called_with_an_empty_one() -> None:
    made = case([3])
    made.relevant.user = np.array([4])
    assert ask_lists(lambda recommended, *_: len(recommended), made, 2, float) == 0


def test_a_user_without_truth_is_not_called() -> None:
    made = case([3, 1])
    made.relevant = case([1]).relevant
    assert ask_lists(lambda recommended, *_: recommended[0], made, 2, float) == 10


def test_what_is_no_number_is_raised() -> None:
    with pytest.raises(ValueError, match="could not convert"):
        ask_lists(lambda *_: "high", case([3]), 2, float)


def test_frames_have_the_columns_of_the_case() -> None:
    def metric(predictions, truth, k):
        assert list(predictions.columns) == ["user", "item", "score"]
        assert truth.to_dict("list") == {"user": [3, 1], "item": [31, 11], "gain": [3.0, 1.0]}
        return k

    assert ask_frames(metric, case([3, 1]), 5, float) == 5


def test_a_file_of_a_package_has_its_dotted_name(tmp_path: Path) -> None:
    package = tmp_path / "team" / "metrics"
    package.mkdir(parents=True)
    assert module_name(package / "own.py") == (str(package), "own")
    (package / "__init__.py").touch()
    (package.parent / "__init__.py").touch()
    assert module_name(package / "own.py") == (str(tmp_path), "team.metrics.own")


def test_a_function_is_loaded_by_its_dotted_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", list(sys.path))
    file = tmp_path / "loaded_by_test_caller.py"
    file.write_text("class Metrics:\n    recall = staticmethod(lambda *_: 0.25)\nlimit = 3\n")
    assert load(str(file), "Metrics.recall")() == 0.25
    with pytest.raises(LookupError, match="did you mean 'Metrics'"):
        load(str(file), "Metric")
    with pytest.raises(LookupError, match=r"limit in .* is no function but int"):
        load(str(file), "limit")
