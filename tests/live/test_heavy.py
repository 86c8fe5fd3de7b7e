"""The heavy libraries in their smallest live form: one case, through the real Spark and the real TensorFlow.

One user likes items 1 and 3 of four and is shown 3, 2, 1, 4 in this order; k = 2. By hand: precision and recall 1/2;
AP over the whole list (1/1 + 2/3) / 2 = 5/6, at 2 1/2; DCG@2 = 1 and its ideal 1 + 1/log2(3); of the four pairs of
a liked and another item, item 3 wins two and item 1 one. Item 3 at rank 1 makes a reciprocal rank and a hit of 1.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover, select
from recsys_metric_audit.audit.process.protocol import Ask, Limits, Measured
from recsys_metric_audit.audit.process.worker import converse
from recsys_metric_audit.reference.input.case import Case, Predictions, Truth

pytestmark = pytest.mark.live

CASE = Case(
    name="one-user",
    predictions=Predictions(np.array([7, 7, 7, 7]), np.array([3, 2, 1, 4]), np.array([4.0, 3.0, 2.0, 1.0])),
    truth=Truth(np.array([7, 7]), np.array([1, 3]), np.array([1.0, 1.0])),
    catalogue=np.array([1, 2, 3, 4]),
)
RANKING = "pyspark.mllib.evaluation.RankingMetrics."
NDCG = 1 / (1 + 1 / math.log2(3))
EXPECTED = {
    "pyspark==3.5.9": {
        RANKING + "precisionAt": 1 / 2,
        RANKING + "recallAt": 1 / 2,
        RANKING + "ndcgAt": NDCG,
        RANKING + "meanAveragePrecision": 5 / 6,
        RANKING + "meanAveragePrecisionAt": 1 / 2,
        "pyspark.ml.evaluation.RankingEvaluator[ndcgAtK]": NDCG,
    },
    "openrec_tf2==0.3.0": {
        "openrec.tf2.metrics.AUC": 3 / 4,
        "openrec.tf2.metrics.Recall": 1 / 2,
        "openrec.tf2.metrics.DictMean[Recall]": 1 / 2,
    },
}
METRICS = "llama_index.core.evaluation."
RETRIEVAL = "sentence_transformers.sentence_transformer.evaluation.InformationRetrievalEvaluator"
RERANKING = "sentence_transformers.cross_encoder.evaluation.CrossEncoderRerankingEvaluator"
SELDOM = {  # asked by `make test-libraries` alone: their environments are large, and none is asked anything unusual
    "llama_index==0.14.25": {
        METRICS + "retrieval.metrics.Precision": 1 / 2,
        METRICS + "retrieval.metrics.AveragePrecision": 1 / 2,
        METRICS + "retrieval.metrics.MRR": 1.0,
        METRICS + "RetrieverEvaluator.evaluate[ndcg]": NDCG,
        METRICS + "RetrieverEvaluator.evaluate[recall]": 1 / 2,
    },
    "mlflow==3.18.0": {
        "mlflow.metrics.precision_at_k": 1 / 2,
        "mlflow.metrics.recall_at_k": 1 / 2,
        "mlflow.metrics.ndcg_at_k": NDCG,
    },
    "sentence_transformers==6.2.0": {
        RETRIEVAL + "[accuracy]": 1.0,
        RETRIEVAL + "[ndcg]": NDCG,
        RETRIEVAL + ".compute_metrics[map]": 1 / 2,
        RERANKING + "[mrr,always_rerank_positives=False]": 1.0,
        RERANKING + "[map,always_rerank_positives=False]": 5 / 6,
    },
    "keras_rs==0.4.0": {
        "keras_rs.metrics.PrecisionAtK": 1 / 2,
        "keras_rs.metrics.MeanAveragePrecision": 1 / 2,
        "keras_rs.metrics.NDCG": NDCG,
        "keras_rs.metrics.DCG[shuffle_ties=False]": 1.0,
    },
    "tensorflow_recommenders==0.7.7": {
        "tensorflow_recommenders.metrics.FactorizedTopK": 1 / 2,
        "tensorflow_recommenders.metrics.FactorizedTopK[true_candidate_ids]": 1 / 2,
    },
    "tensorflow_ranking==0.5.5": {
        "tensorflow_ranking.keras.metrics.PrecisionMetric": 1 / 2,
        "tensorflow_ranking.keras.metrics.MeanAveragePrecisionMetric": 1 / 2,
        "tensorflow_ranking.keras.metrics.NDCGMetric": NDCG,
    },
}
SEVERAL = [*EXPECTED, *(pytest.param(library, marks=pytest.mark.long) for library in SELDOM)]


@pytest.mark.parametrize("library", SEVERAL)
def test_a_heavy_library_answers_as_computed_by_hand(library: str, tmp_path: Path) -> None:
    expected = (EXPECTED | SELDOM)[library]
    ((manifest, version),) = select(discover([adapters_dir()]), [library])
    python = environment.ensure(manifest, version).python
    cuts = {each.name: (2,) if each.cutoff else (None,) for each in manifest.functions_of(version)}
    asks = [Ask(n, "one", (name,), cuts[name], fresh=True) for n, name in enumerate(expected)]
    said = converse(
        python, manifest.adapter_path(version), {"one": CASE}, asks, tmp_path / "control",
        Limits(seconds=version.timeout or 120), stubs=tuple(version.stubs),
    )  # fmt: skip
    values = {}
    for answer in said.answers:
        assert isinstance(answer.outcome, Measured), answer
        outcome = answer.outcome
        values[answer.function] = outcome.mean if outcome.values is None else float(outcome.values[0])
    assert values == pytest.approx(expected, rel=1e-6)
