"""A session: one process for several conversations, replaced when it died."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.process import worker
from recsys_metric_audit.audit.process.protocol import Crashed, Outcome
from recsys_metric_audit.audit.process.session import Session
from tests.support.control_samples import ask
from tests.support.fake_conversations import CASES, PYTHON, gone, mean

pytestmark = pytest.mark.slow  # processes of their own


ADAPTER = """
import os, sys
def pid(case, k): return os.getpid()
def leave(case, k): os._exit(3)
def standard_input(case, k): return len(sys.stdin.read())
FUNCTIONS = {"statistics.mean": pid, "statistics.median": leave, "statistics.mode": standard_input}
def prepare(case): return case
"""


def test_one_process_answers_several_conversations(tmp_path: Path) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(ADAPTER)

    def put(number: int, *functions: str) -> list[Outcome]:
        control = tmp_path / f"control-{number}"
        said = worker.converse(PYTHON, adapter, CASES, [ask(*functions)], control, session=session)
        assert said.hello is not None
        return [answer.outcome for answer in said.answers]

    with Session(PYTHON) as session:
        (first,), (second, nothing) = put(1, "mean"), put(2, "mean", "mode")
        assert mean(first) == mean(second)  # the same process, whose standard input is empty
        assert mean(nothing) == 0
        assert isinstance(put(3, "median")[0], Crashed)
        (third,) = put(4, "mean")
        assert mean(third) not in (mean(first), None)
    for outcome in (first, third):
        assert gone(int(mean(outcome) or 0))
