"""Texts of seven notations, evaluated by the libraries themselves: they compute the formulas that they are read as.

Each library is given its own texts, as its users type them, on plain lists: scores from 0 to 1, no ties, every
relevant item shown, lists of equal length, gains 1 to 3. So who is averaged, and how unusual rows are treated, decides
nothing.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from recsys_metric_audit import evaluate
from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.pins.notation import WrittenMetric, notations, read_written

K = 3
GAINS = [
    [0, 3, 1, 0, 2, 0, 0, 1, 0, 3, 0, 0],
    [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    [2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
]
"""The gain of the item at each rank of each user's list; 0 is irrelevant."""

START = """
import json, sys, warnings
warnings.filterwarnings("ignore")
texts, gains, k = json.load(sys.stdin)
def item(user, place): return 100 * user + place
places = [(user, place) for user, own in enumerate(gains) for place in range(len(own))]
rows = [(user, item(user, place), 1.0 - place / 20, gains[user][place]) for user, place in places]
"""
TREC = """
qrels, run = {}, {}
for user, name, score, gain in rows:
    run.setdefault(str(user), {})[str(name)] = score
    if gain: qrels.setdefault(str(user), {})[str(name)] = gain
"""
ASK = {
    "ir_measures": TREC
    + """
import ir_measures
measures = [ir_measures.parse_measure(text) for text in texts]
found = ir_measures.calc_aggregate(measures, qrels, run)
print(json.dumps([found[each] for each in measures]))
""",
    "trec_eval": TREC
    + """
import pytrec_eval
asked = {text[: -len(f"_{k}")] + f".{k}" if text.endswith(f"_{k}") else text for text in texts}
asked = {"iprec_at_recall" if each.startswith("iprec") else each for each in asked}
found = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
print(json.dumps([sum(own[text] for own in found.values()) / len(found) for text in texts]))
""",
    "torchmetrics": """
import torch, torchmetrics.retrieval
user, _, score, gain = (torch.tensor(column) for column in zip(*rows))
out = []
for text in texts:
    metric = eval(text, vars(torchmetrics.retrieval))
    out.append(float(metric(score, gain if "DCG" in text else gain > 0, indexes=user)))
print(json.dumps(out))
""",
    "ranx": TREC
    + """
import ranx
print(json.dumps([float(ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), text)) for text in texts]))
""",
    "rectools": """
import pandas, rectools.metrics
frame = pandas.DataFrame(rows, columns=["user_id", "item_id", "score", "gain"])
frame["rank"] = frame.groupby("user_id").cumcount() + 1
shown, truth = frame[["user_id", "item_id", "rank"]], frame.loc[frame.gain > 0, ["user_id", "item_id"]]
print(json.dumps([float(eval(text, vars(rectools.metrics)).calc(shown, truth)) for text in texts]))
""",
    "scikit_learn": """
import numpy, sklearn.metrics
gain = numpy.array(gains)
score = numpy.tile(1.0 - numpy.arange(gain.shape[1]) / 20, (len(gain), 1))
out = []
for text in texts:
    true = gain > 0 if "ranking" in text else gain
    out.append(float(eval(text, {**vars(sklearn.metrics), "y_true": true, "y_score": score})))
print(json.dumps(out))
""",
    "lenskit": """
import v2026  # the adapter puts a module in the place of torch, which the environment does not have
import lenskit.metrics.ranking
from lenskit.data import ItemList
out = []
for text in texts:
    metric, values = eval(text, vars(lenskit.metrics.ranking)), []
    for user, own in enumerate(gains):
        shown = ItemList(item_ids=[item(user, place) for place in range(len(own))], ordered=True)
        relevant = [place for place, gain in enumerate(own) if gain]
        ratings = [float(own[each]) for each in relevant]
        truth = ItemList(item_ids=[item(user, each) for each in relevant], rating=ratings)
        values.append(metric.measure_list(shown, truth))
    out.append(sum(values) / len(values))
print(json.dumps(out))
""",
}
"""For each notation a program that evaluates its texts; it reads texts, gains and k, and prints a number for each."""


def values_of_library(name: str, texts: list[str]) -> list[float]:
    """Return what the newest version of the library makes of the texts."""
    manifest = load(adapters_dir() / notations()[name].library)
    python: Path = environment.ensure(manifest, manifest.versions[0]).python
    done = subprocess.run(
        [str(python), "-B", "-c", START + ASK[name]], input=json.dumps([texts, GAINS, K]),
        cwd=manifest.folder, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    values: list[float] = json.loads(done.stdout.strip().splitlines()[-1])
    return values


def value_of_formula(meaning: WrittenMetric) -> float:
    shown: list[dict[str, Any]] = []
    relevant: list[dict[str, Any]] = []
    for user, gains in enumerate(GAINS):
        for place, gain in enumerate(gains):
            shown.append({"user": user, "item": 100 * user + place, "score": 1.0 - place / 20})
            relevant += [{"user": user, "item": 100 * user + place, "gain": float(gain)}] if gain else []
    found = evaluate(pd.DataFrame(shown), pd.DataFrame(relevant), K, [meaning.formula.signature()])
    (value,) = (each.mean for each in found.values())
    return value


def test_every_notation_is_asked() -> None:
    assert set(ASK) == set(notations())


HEAVY = ("ranx",)  # Numba compiles its functions anew


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.long if each in HEAVY else pytest.mark.slow) for each in ASK]
)
def test_a_library_computes_what_its_texts_are_read_as(name: str) -> None:
    texts = [pattern.replace("{k}", str(K)) for pattern in notations()[name].written.values()]
    meanings = [read_written(f"{name}:{text}") for text in texts]
    assert all(len(each) == 1 for each in meanings), "one accepted formula for each text"
    found = dict(zip(texts, values_of_library(name, texts), strict=True))
    assert found == pytest.approx({text: value_of_formula(each[0]) for text, each in zip(texts, meanings, strict=True)})
    assert len({round(each, 9) for each in found.values()}) > len(found) / 2, "most texts differ on these lists"
