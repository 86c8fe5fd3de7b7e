"""Cases that tell definitions apart: the same ones in every process, whatever the order in which sets are walked."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import evaluate

DIGESTS = """
import hashlib
from recsys_metric_audit.audit.questions import generated_cases
from recsys_metric_audit.audit.data.dataset import input_digest
from recsys_metric_audit.reference.cases import PROBES, EXHAUSTIVE
probes = (*generated_cases.pool()[0], *PROBES, *EXHAUSTIVE)
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


def test_cases_come_with_their_features_the_fewest_first() -> None:
    probes, features = generated_cases.pool()
    assert len(probes) == len(features) == len(generated_cases.problem().cases)
    assert features[0] == frozenset()
    assert probes[0].name == "separating case 1: nothing unusual"
    assert all(probe.kind.role in ("distinguishing", "mixed") for probe in probes)
