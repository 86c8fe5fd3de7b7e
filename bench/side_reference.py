"""The reference's side: the documented definitions of eight families at one k, from the same frame."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from meter import Meter

from reference.definitions.definition import parse
from reference.evaluation.evaluate import Problem, evaluate
from reference.input import conversion

DOCUMENTED = (
    "precision@k", "precision@k|denominator:shown", "precision@k|denominator:min", "precision@k|pooling:pooled",
    "recall@k", "recall@k|denominator:min",
    "hit_rate@k", "hit_rate@k|counts:hits", "hit_rate@k|counts:recall",
    "f_score@k", "f_score@k|of:means", "f_score@k|beta:2", "f_score@k|beta:0.5",
    "reciprocal_rank@k", "reciprocal_rank@k|ranks:sum", "reciprocal_rank@k|ranks:normalised",
    "average_precision@k", "average_precision@k|denominator:r", "average_precision@k|denominator:k",
    "average_precision@k|denominator:hits", "average_precision@k|denominator:shown",
    "average_precision@k|denominator:k|indicator:dropped", "average_precision@k|denominator:cumulative",
    "average_precision@k|mean:geometric", "average_precision@k|mean:harmonic", "average_precision@k|mean:quadratic",
    "ndcg@k", "ndcg@k|gain:exp2", "ndcg@k|gain:linear", "ndcg@k|gain:exp2|discount:ln|ideal:retrieved",
    "ndcg@k|ideal:all", "ndcg@k|discount:ln|ideal:none", "ndcg@k|ideal:none", "ndcg@k|discount:log2_clipped",
    "ndcg@k|ideal:ones", "ndcg@k|ties:average",
    "auc", "auc|undefined:0|no_negatives:0", "auc|pooling:weighted|weight:relevant",
    "auc|pooling:weighted|weight:rated", "auc@k|list:topk", "auc@k|list:limited",
)  # fmt: skip
SAME = {
    "precision": "precision@k", "recall": "recall@k", "hit_rate": "hit_rate@k", "mrr": "reciprocal_rank@k",
    "map": "average_precision@k|denominator:r", "ndcg": "ndcg@k|ideal:ones",
}  # fmt: skip
"""What RecTools' usual set computes, as definitions."""


def main(folder: Path, k: int) -> None:
    """Measure once and print the line of JSON."""
    column = {path.stem: np.load(path) for path in folder.glob("*.npy")}
    frame = pd.DataFrame({name: column[name] for name in ("user", "item", "score")}, copy=False)
    truth = pd.DataFrame({"user": column["truth_user"], "item": column["truth_item"], "gain": column["truth_gain"]})
    definitions = {signature: parse(signature) for signature in DOCUMENTED}

    meter = Meter()
    with meter.step("placement"):
        problem = Problem.of([conversion.case_from_tables(frame, truth).case], k)
        _ = problem.placement
    with meter.step("definitions"):
        values = {signature: float(evaluate(one, problem).mean[0]) for signature, one in definitions.items()}
    with meter.step("stacked"):
        values["auc|scope:stacked"] = float(evaluate(parse("auc|scope:stacked"), problem).mean[0])
    meter.report({**values, **{name: values[signature] for name, signature in SAME.items()}}, DOCUMENTED)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
