"""The control directory: what is written for a child, and what is read of its words."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.process.control_directory import ResponseError, Responses, write
from recsys_metric_audit.audit.process.protocol import PROTOCOL, Answer, Errored, Measured, NotOffered, Unaskable
from tests.support.control_samples import CASE, ask, fake, ids

HELLO = {"protocol": PROTOCOL, "python": "3.6.15", "platform": "Linux", "installed": {"a": "1"}, "functions": ["f"]}
CALL = {"ask": 0, "function": "f", "k": 2, "repetition": 0}
MEAN = {"mean": "0.5", "users": None, "values": None, "dtype": "float", "seconds": "0.25"}


def say(control: Path, *lines: object, end: str = "\n") -> Responses:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (control / "response.jsonl").write_text(text + end)
    return Responses(control)


def received(control: Path, *lines: object) -> Answer:
    [answer] = say(control, {"hello": HELLO}, *lines).read()
    return answer


def test_a_case_is_written_as_plain_columns(tmp_path: Path) -> None:
    write(tmp_path, fake("behaved"), {"tiny": CASE, "unasked": CASE}, [ask("mean", ks=(1, None), repeat=2)])
    folder = tmp_path / "cases" / "tiny"
    about = json.loads((folder / "case.json").read_text())
    assert about.pop("columns") == {
        "recommended_user": [1, 1, 2],
        "recommended_item": [10, 11, 10],
        "recommended_score": [0.75, 0.5, 0.25],
        "relevant_user": [1, 3],
        "relevant_item": [11, 12],
        "relevant_gain": [1.0, 5.0],
        "train_user": [4],
        "train_item": [12],
        "catalogue": [10, 11, 12, 13],
    }
    assert about == {"name": "tiny", "threshold": "3.0", "scale": ["1.0", "5.0"], "why": CASE.why}
    assert [path.name for path in (tmp_path / "cases").iterdir()] == ["tiny"]
    request = json.loads((tmp_path / "request.json").read_text())
    assert request["asks"] == [
        {
            "id": 0, "case": "tiny", "functions": ["statistics.mean"], "ks": [1, None], "repeat": 2, "fresh": True,
            "values": True,
        }
    ]  # fmt: skip
    assert request["protocol"] == PROTOCOL
    assert Path(request["adapter"]) == fake("behaved")


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden", "a b"])
def test_a_case_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    question = replace(ask("mean"), case=name)
    with pytest.raises(ValueError, match="cannot name a folder"):
        write(tmp_path / "control", fake("behaved"), {name: CASE}, [question])
    assert not list(tmp_path.rglob("case.json"))


def test_an_ask_about_a_case_that_is_not_given_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'tiny'"):
        write(tmp_path, fake("behaved"), {"other": CASE}, [ask("mean")])


def test_the_hello_and_every_kind_of_line_are_read(tmp_path: Path) -> None:
    responses = say(
        tmp_path,
        {"hello": HELLO},
        {**CALL, **MEAN},
        {**CALL, "k": None, **MEAN, "mean": None, "users": [7, 3], "values": ["nan", "0.1"], "dtype": "float32"},
        {**CALL, "not_offered": "there is none"},
        {**CALL, "unaskable": "no scores"},
        {**CALL, "error": "ValueError", "message": "empty", "traceback": "Traceback"},
    )
    mean, each, none, unaskable, error = responses.read()
    assert responses.hello is not None and responses.hello.functions == ("f",)
    assert responses.hello.installed == {"a": "1"}
    assert responses.failure is None
    assert isinstance(mean.outcome, Measured) and (mean.outcome.mean, mean.outcome.seconds) == (0.5, 0.25)
    assert isinstance(each.outcome, Measured) and each.k is None
    assert each.outcome.users is not None and each.outcome.users.tolist() == [7, 3]
    assert each.outcome.values is not None and math.isnan(each.outcome.values[0])
    assert each.outcome.values[1] == 0.1 and each.outcome.dtype == "float32"
    assert none.outcome == NotOffered("there is none")
    assert unaskable.outcome == Unaskable("no scores")
    assert error.outcome == Errored("ValueError", "empty", "Traceback")
    assert list(responses.read()) == []


def test_a_line_that_is_being_written_is_left_for_later(tmp_path: Path) -> None:
    responses = say(tmp_path, {"hello": HELLO}, json.dumps({**CALL, **MEAN})[:-9], end="")
    assert list(responses.read()) == []
    with (tmp_path / "response.jsonl").open("a") as file:
        file.write(json.dumps({**CALL, **MEAN})[-9:] + "\n")
    assert [answer.k for answer in responses.read()] == [2]


def test_nothing_said_is_nothing_heard(tmp_path: Path) -> None:
    responses = Responses(tmp_path)
    assert list(responses.read()) == []
    assert responses.hello is None


def test_another_protocol_is_a_failure_with_both_numbers(tmp_path: Path) -> None:
    responses = say(tmp_path, {"hello": {**HELLO, "protocol": 99}})
    assert list(responses.read()) == []
    assert responses.failure is not None and responses.failure.error == "WrongProtocol"
    assert "99" in responses.failure.message and str(PROTOCOL) in responses.failure.message


def test_long_arrays_come_from_files(tmp_path: Path) -> None:
    (tmp_path / "values").mkdir()
    np.save(tmp_path / "values" / "1-users.npy", ids(5, 4))
    np.save(tmp_path / "values" / "1-values.npy", np.array([0.5, 1.0]))
    files = {"users": "values/1-users.npy", "values": "values/1-values.npy"}
    outcome = received(tmp_path, {**CALL, **MEAN, **files}).outcome
    assert isinstance(outcome, Measured) and outcome.users is not None and outcome.values is not None
    assert (outcome.users.tolist(), outcome.values.tolist()) == ([5, 4], [0.5, 1.0])


def test_a_file_outside_the_values_is_not_read(tmp_path: Path) -> None:
    control = tmp_path / "control"
    control.mkdir()
    np.save(tmp_path / "users.npy", ids(5))
    with pytest.raises(ResponseError, match=r"users\.npy"):
        received(control, {**CALL, **MEAN, "users": "../users.npy", "values": ["0.5"]})


def test_pickles_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "values").mkdir()
    np.save(tmp_path / "values" / "1-users.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ResponseError, match="allow_pickle"):
        received(tmp_path, {**CALL, **MEAN, "users": "values/1-users.npy", "values": ["0.5"]})


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        "null",
        {"ask": 0},
        {**CALL, "mean": "0.5"},
        {**CALL, **MEAN, "mean": "half"},
        {**CALL, **MEAN, "users": [1, 2], "values": ["0.5"]},
        {**CALL, **MEAN, "users": [], "values": None},
        {**CALL, **MEAN, "users": [[1]], "values": ["0.5"]},
        {**CALL, **MEAN, "users": ["x"], "values": ["0.5"]},
    ],
)
def test_a_line_that_is_none_of_the_protocol_is_said_to_be(tmp_path: Path, line: object) -> None:
    with pytest.raises(ResponseError, match="no line of the protocol"):
        received(tmp_path, line)


def test_answers_before_a_damaged_line_are_kept(tmp_path: Path) -> None:
    answers = say(tmp_path, {"hello": HELLO}, {**CALL, **MEAN}, "no json").read()
    assert next(answers).k == 2
    with pytest.raises(ResponseError):
        next(answers)
