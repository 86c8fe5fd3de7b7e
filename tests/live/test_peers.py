"""The reference against other people's code where both compute the same: scikit-learn, trec_eval, Spark MLlib.

Generated users, value by value (Spark gives means only). Each row names the definition that the other's documentation
states; ties, short lists, unlisted relevant items and graded gains wherever the two are defined alike.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recsys_metric_audit.audit.environments import environment, uv
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover, select
from recsys_metric_audit.audit.process.protocol import Ask, Limits, Measured
from recsys_metric_audit.audit.process.worker import converse
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth

pytestmark = pytest.mark.live

HERE = Path(__file__).parent / "peers"
K, USERS = 3, 500
Users = list[dict[str, Any]]

# trec_eval -m: precision and recall over k and all relevant, linear gains, equal scores by name, descending.
TREC = {
    "P.3": "precision@3", "recall.3": "recall@3", "map_cut.3": "average_precision@3|denominator:r",
    "map": "average_precision|denominator:r|cutoff:none", "ndcg_cut.3": "ndcg@3|gain:linear",
    "ndcg": "ndcg|gain:linear|ideal:all|cutoff:none", "recip_rank": "reciprocal_rank|cutoff:none",
    "Rprec": "r_precision", "success.3": "hit_rate@3", "bpref": "bpref",
}  # fmt: skip
# scikit-learn, user guide of sklearn.metrics: binary labels or ratings against scores; tied gains are averaged in DCG.
LEARN = {
    "roc_auc_score": "auc", "ndcg_score": "ndcg|gain:linear|cutoff:none|ties:average",
    "ndcg_score.k": "ndcg@3|gain:linear|ties:average", "dcg_score.k": "ndcg@3|gain:linear|ideal:none|ties:average",
}  # fmt: skip
UNTIED = {
    "average_precision_score": "average_precision|denominator:r|cutoff:none",
    "precision_score": "precision@3|denominator:shown", "recall_score": "recall@3",
    "f1_score": "f_score@3|precision:shown", "accuracy_score": "accuracy@3",
    "matthews_corrcoef": "matthews_correlation@3",
}  # fmt: skip
ERRORS = {
    "mean_absolute_error": "mae|pooling:user", "mean_squared_error": "mse|pooling:user",
    "root_mean_squared_error": "rmse|pooling:user", "r2_score": "r_squared|pooling:user",
    "explained_variance_score": "explained_variance|pooling:user",
}  # fmt: skip


def drawn(seed: int, *, full: bool, tied: bool) -> Users:
    """Users with a list of 4 to 9 items and gains of 0 to 4. ``full``: every relevant item is in the list, some item
    is irrelevant and none of the first k is missing, as scikit-learn needs it."""
    rng, out = random.Random(seed), []
    while len(out) < USERS:
        items = [f"d{number}" for number in rng.sample(range(10, 40), rng.randint(4 if full else 1, 9))]
        values = [rng.randint(1, 4) if tied else place for place in range(1, len(items) + 1)]
        scores = sorted((float(value) for value in values), reverse=True)
        judged = items if full else [*items, *(f"d{number}" for number in rng.sample(range(50, 60), 3))]
        relevance = {item: rng.choice((0, 0, 0, 1, 2, 4)) for item in judged if full or rng.random() < 0.7}
        kinds = {gain > 0 for gain in relevance.values()}
        if (len(kinds) == 2) if full else (True in kinds):
            out.append({"ranked": items, "scores": scores, "relevance": relevance})
    return out


def case(users: Users, *, keep: Callable[[int], bool], shift: float = 0.0) -> Case:
    """Return the users as a case; ``keep`` says which judgements are truth rows."""
    rows = [(n, int(item[1:]), score + shift) for n, user in enumerate(users)
            for item, score in zip(user["ranked"], user["scores"], strict=True)]  # fmt: skip
    true = [(n, int(item[1:]), gain) for n, user in enumerate(users)
            for item, gain in user["relevance"].items() if keep(gain)]  # fmt: skip
    rec, rel = (np.array(table, dtype=float).T for table in (rows, true))
    return Case("peers", Predictions(rec[0].astype(int), rec[1].astype(int), rec[2]),
                Truth(rel[0].astype(int), rel[1].astype(int), rel[2]), threshold=1.0)  # fmt: skip


def ours(signature: str, cases: Case) -> np.ndarray:
    definition = parse(signature)
    return evaluate(definition, Problem.of([cases], K if definition.k is not None else None)).value


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Users, dict[str, list[float]]]]:
    """Ask the two libraries in an environment of their own; return what they say."""
    folder = tmp_path_factory.mktemp("peers")
    for words in (["venv", "--python", sys.executable, str(folder / "env")],
                  ["pip", "install", "--python", str(folder / "env/bin/python"), "--require-hashes", "--requirement",
                   str(HERE / "requirements.txt")]):  # fmt: skip
        subprocess.run([*uv.command(), "--quiet", *words], check=True)
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def said(learn: Users, trec: Users) -> dict[str, dict[str, list[float]]]:
        done = subprocess.run(
            [str(folder / "env/bin/python"), str(HERE / "answer.py")], input=json.dumps({"learn": learn, "trec": trec}),
            capture_output=True, text=True, check=False, env=clean,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        made: dict[str, dict[str, list[float]]] = json.loads(done.stdout)
        return made

    tied, untied, short = (
        drawn(1, full=True, tied=True),
        drawn(2, full=True, tied=False),
        drawn(3, full=False, tied=True),
    )
    first, second = said(tied, short), said(untied, short)
    return {"tied": (tied, first["learn"]), "untied": (untied, second["learn"]), "trec": (short, first["trec"])}


@pytest.mark.parametrize("name", TREC)
def test_trec_eval(name: str, answers: dict[str, tuple[Users, dict[str, list[float]]]]) -> None:
    users, theirs = answers["trec"]
    judged = case(users, keep=lambda gain: name == "bpref" or gain > 0)
    # Names are compared as text: d10 < d9, as our ids are, all of two digits.
    made = ours(f"{TREC[name]}|ties:text_desc", judged)
    assert made.tolist() == pytest.approx(theirs[name], abs=1e-9)
    assert len(set(made.tolist())) > 1


@pytest.mark.parametrize(("kind", "name"), [
    *(("tied", name) for name in LEARN), *(("untied", name) for name in (*LEARN, *UNTIED)),
])  # fmt: skip
def test_scikit_learn(kind: str, name: str, answers: dict[str, tuple[Users, dict[str, list[float]]]]) -> None:
    users, theirs = answers[kind]
    made = ours({**LEARN, **UNTIED}[name], case(users, keep=lambda gain: gain > 0))
    assert made.tolist() == pytest.approx(theirs[name], abs=1e-9)
    assert len(set(made.tolist())) > 1


@pytest.mark.parametrize("name", ERRORS)
def test_scikit_learn_on_ratings(name: str, answers: dict[str, tuple[Users, dict[str, list[float]]]]) -> None:
    users, theirs = answers["tied"]
    made = ours(ERRORS[name], case(users, keep=lambda gain: True, shift=1.0))
    assert made.tolist() == pytest.approx(theirs[name], abs=1e-9)


def test_scikit_learn_on_probabilities(answers: dict[str, tuple[Users, dict[str, list[float]]]]) -> None:
    users, theirs = answers["tied"]
    scaled: Users = []
    for user in users:
        labels = {item: int(gain > 0) for item, gain in user["relevance"].items()}
        scaled.append({**user, "scores": [score / 10 for score in user["scores"]], "relevance": labels})
    assert ours("log_loss|pooling:user", case(scaled, keep=lambda gain: True)).tolist() == pytest.approx(
        theirs["log_loss"]
    )


def test_informedness_is_balanced_accuracy(answers: dict[str, tuple[Users, dict[str, list[float]]]]) -> None:
    """Balanced accuracy is (recall + inverse recall) / 2."""
    users, theirs = answers["untied"]
    made = ours("informedness@3", case(users, keep=lambda gain: gain > 0))
    assert made.tolist() == pytest.approx([2 * value - 1 for value in theirs["balanced_accuracy_score"]], abs=1e-9)


RANKING = "pyspark.mllib.evaluation.RankingMetrics."
SPARK = {
    "precisionAt": "precision@3", "recallAt": "recall@3", "ndcgAt": "ndcg@3",
    "meanAveragePrecisionAt": "average_precision@3",
    "meanAveragePrecision": "average_precision|denominator:r|cutoff:none",
}  # fmt: skip


@pytest.mark.long  # Spark takes a minute and a half; test_heavy.py asks it for one value in every `make test`
def test_spark(tmp_path: Path) -> None:
    """Means over twenty groups of users; items once each, every user with relevant items and a list."""
    ((manifest, version),) = select(discover([adapters_dir()]), ["pyspark==3.5.9"])
    python = environment.ensure(manifest, version).python
    users = drawn(4, full=False, tied=False)
    groups = {f"group{n}": case(users[n::20], keep=lambda gain: gain > 0) for n in range(20)}
    functions = {RANKING + name: (None if name == "meanAveragePrecision" else K) for name in SPARK}
    asks = [
        Ask(number, group, (name,), (k,), fresh=True)
        for number, (group, name, k) in enumerate((c, f, k) for c in groups for f, k in functions.items())
    ]
    said = converse(
        python, manifest.adapter_path(version), groups, asks, tmp_path / "control",
        Limits(seconds=version.timeout or 0), stubs=tuple(version.stubs),
    )  # fmt: skip
    assert len(said.answers) == len(asks)
    for ask, answer in zip(asks, said.answers, strict=True):
        assert isinstance(answer.outcome, Measured) and answer.outcome.mean is not None
        definition = parse(SPARK[ask.functions[0].removeprefix(RANKING)])
        right = evaluate(definition, Problem.of([groups[ask.case]], K)).mean[0]
        assert answer.outcome.mean == pytest.approx(right, abs=1e-9), ask
