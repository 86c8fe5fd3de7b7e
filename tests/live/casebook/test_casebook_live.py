"""Functions of the casebook compute what their threads say, and what is recorded of them is what the tool tells today.

``make test`` asks some, of different shapes; all others are long tests, which ``make test-libraries`` runs.
"""

from __future__ import annotations

import pytest

from bench.casebook import identified
from recsys_metric_audit.reports.writers.casebook import Thread, load_answers, with_function

pytestmark = pytest.mark.live

SHORT = {"neural_graph_collaborative_filtering-34", "daisyRec-9", "tensorflow-13005", "librec-236", "HashNet-25"}


def asked(thread: Thread) -> object:
    return pytest.param(thread, id=thread.key, marks=() if thread.key in SHORT else pytest.mark.long)


@pytest.mark.parametrize("thread", [asked(each) for each in with_function()])
def test_the_tool_tells_what_is_recorded_and_what_the_thread_says(thread: Thread) -> None:
    found = identified(thread)
    assert not found.contradiction
    assert found == load_answers()[thread.key]
