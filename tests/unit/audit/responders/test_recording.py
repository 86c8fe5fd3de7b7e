"""Recordings as values: what they are keyed by, and how two of them differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.audit.process.protocol import Answer, Ask, Measured
from recsys_metric_audit.audit.responders.recording import Recording, differences
from tests.support.recorded_answers import HEADER, OUTCOMES, every_outcome, log_of, one_row_case


def test_answers_are_kept_by_input_seed_and_call_in_the_order_given() -> None:
    case = one_row_case()
    asks = [Ask(0, "p", ("f",), (1,), repeat=2), Ask(1, "p", ("f",), (1,))]
    given = [Answer(0, "f", 1, OUTCOMES["mean"], 0), Answer(0, "f", 1, OUTCOMES["absent"], 1)]
    log = log_of({"p": case}, asks, [*given, Answer(1, "f", 1, OUTCOMES["hangs"], 0)], seed=3)
    digest = input_digest(case)
    assert log.names == {digest: "one"}
    assert log.answers == {
        (digest, 3, "f", 1, 0): [OUTCOMES["mean"], OUTCOMES["hangs"]],
        (digest, 3, "f", 1, 1): [OUTCOMES["absent"]],
    }


def test_an_input_without_a_name_is_called_as_the_ask_calls_it() -> None:
    log = log_of({"p": one_row_case(name="")}, [Ask(0, "p", ("f",), (1,))], [Answer(0, "f", 1, OUTCOMES["mean"])])
    assert list(log.names.values()) == ["p"]


def test_the_hello_is_rebuilt_from_header_and_answers() -> None:
    hello = every_outcome().hello
    assert hello.functions == tuple(OUTCOMES)
    assert (hello.python, hello.platform, hello.installed) == ("3.11.9", "Linux", {"numpy": "1.26.4"})


def test_differences_are_to_the_last_bit() -> None:
    read = every_outcome()
    ask = Ask(0, "p0", ("mean",), (5,))
    same = Recording(HEADER, log_of({"p0": one_row_case()}, [ask], [Answer(0, "mean", 5, OUTCOMES["mean"])]))
    others = [line for line in differences(read, same) if not line.startswith("mean")]
    assert len(others) == len(OUTCOMES) - 1
    assert all(line.endswith("is not asked") for line in others)
    near = Measured(float(np.nextafter(0.1 + 0.2, 1)), None, None, "float64", 1.5)
    moved = Recording(HEADER, log_of({"p0": one_row_case()}, [ask], [Answer(0, "mean", 5, near)]))
    assert "mean on one at k = 5: was [['measured', 'float64', '0.30000000000000004']]" in str(differences(read, moved))


def test_date_and_machine_are_no_difference_and_the_commit_is_one() -> None:
    read = every_outcome()
    later = replace(read.header, date="2022-01-01", python="3.12.0", platform="Darwin", installed={})
    assert differences(read, Recording(later, read.log)) == []
    other = replace(read.header, commit="1" * 40)
    assert differences(read, Recording(other, read.log)) == [f"commit was {'0' * 40!r} and is {'1' * 40!r}"]
