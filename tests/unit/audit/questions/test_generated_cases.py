"""Cases that tell definitions apart: the same ones in every process, whatever the order in which sets are walked."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations

import pytest

from audit.questions import generated_cases
from audit.questions.distinguishing import distinguishing_inputs
from reference.definitions.definition import parse
from reference.evaluation.evaluate import evaluate
from reference.space.input_axes import TIES

DIGESTS = """
import hashlib
from audit.questions import generated_cases
from audit.data.dataset import input_digest
from reference.cases import PROBES, SMALL
probes = (*generated_cases.pool()[0], *PROBES, *SMALL)
told = "".join(f"{probe.name}{probe.k}{input_digest(probe.case)}" for probe in probes)
print(len(probes), hashlib.sha256(told.encode()).hexdigest())
"""


@pytest.mark.slow
def test_every_process_asks_the_same_cases() -> None:
    """A recording holds answers by the digest of the input: it can only be replayed where that stays the same."""
    told = {
        subprocess.run(
            [sys.executable, "-c", DIGESTS], env={**os.environ, "PYTHONHASHSEED": seed},
            check=True, capture_output=True, text=True,
        ).stdout
        for seed in ("0", "1", "2")
    }  # fmt: skip
    assert len(told) == 1
    assert int(told.pop().split()[0]) > 600


def test_no_two_cases_have_one_name() -> None:
    names = [probe.name for probe in generated_cases.pool()[0]]
    assert len(set(names)) == len(names)


@pytest.mark.slow
@pytest.mark.parametrize("one_ranking", ["average_precision@k|over:stacked", "auc@k|list:topk|scope:stacked"])
def test_no_case_has_more_orders_of_ties_than_can_be_averaged(one_ranking: str) -> None:
    # One ranking of all users' rows has the most: their equal scores tie.
    values = evaluate(parse(f"{one_ranking}|ties:average"), generated_cases.problem()).mean
    assert len(values) == len(generated_cases.pool()[0])


@pytest.mark.parametrize("metric", ["precision", "recall"])
def test_every_rule_for_ties_at_a_cut_off_of_ten_is_told_from_every_other(metric: str) -> None:
    """Whatever k is asked for: the order probes are shorter, so that only these cases can show it."""
    rules = ["order:rows", *(f"ties:{name}" for name in TIES.names if name != "other")]
    known = [parse(f"{metric}@k|{rule}|cutoff:10") for rule in rules]
    for pair in combinations(known, 2):
        assert distinguishing_inputs(pair, frozenset()), pair
