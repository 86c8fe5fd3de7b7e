"""The reference: what each metric is, as a library of its own.

>>> from recsys_metric_audit.reference import evaluate
>>> predictions = {"user": ["ann", "ann", "bob"], "item": ["tea", "rye", "rye"], "score": [0.9, 0.5, 0.8]}
>>> truth = {"user": ["ann", "bob"], "item": ["rye", "ale"]}
>>> found = evaluate(predictions, truth, 2, ["reciprocal_rank", "ndcg|ideal:all"])
>>> found["reciprocal_rank@2"].mean
0.25
>>> found["reciprocal_rank@2"].by_user()
{'ann': 0.5, 'bob': 0.0}

``definitions(metric)`` lists the documented definitions, ``parse`` reads a signature, ``formula_lines`` writes the
formula of a definition, ``work`` computes it step by step for one user, ``differing`` names the axes on which two
definitions differ, ``which`` finds the definitions that give a printed number, ``impossible_together`` those
that cannot both have given two numbers of a table. ``evaluate(..., interval=0.95)`` gives
confidence intervals, ``compare_recommenders`` a paired test of two recommenders.
"""

from __future__ import annotations

from recsys_metric_audit.reference.api import (
    InputRefusedError,
    Values,
    compare_recommenders,
    definitions,
    differing,
    evaluate,
    impossible_together,
    which,
)
from recsys_metric_audit.reference.catalogue import CATALOGUE, Variant
from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.engines.disk_buckets import DiskSpaceError
from recsys_metric_audit.reference.engines.user_block import NotUserByUserError
from recsys_metric_audit.reference.evaluation.worked_example import Worked, work
from recsys_metric_audit.reference.evaluation.worked_rows import WorkedRow
from recsys_metric_audit.reference.formula_text import FormulaLine, formula_lines
from recsys_metric_audit.reference.input.conversion import Columns
from recsys_metric_audit.reference.input.parquet_rows import UnreadableRowsError
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reference.uncertainty.paired_comparison import PairedComparison

__all__ = [
    "CATALOGUE",
    "FAMILIES",
    "METRICS",
    "Columns",
    "Definition",
    "DiskSpaceError",
    "FormulaLine",
    "InputRefusedError",
    "NotUserByUserError",
    "PairedComparison",
    "SignatureError",
    "UnreadableRowsError",
    "Values",
    "Variant",
    "Worked",
    "WorkedRow",
    "compare_recommenders",
    "definitions",
    "differing",
    "evaluate",
    "formula_lines",
    "impossible_together",
    "parse",
    "which",
    "work",
]
