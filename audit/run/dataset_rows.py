"""The rows of a result that are about the data and not about a library: the dataset, and our own values on it."""

from __future__ import annotations

from collections.abc import Mapping

from audit.data.dataset import Dataset as Data
from audit.data.synthetic_train import with_train_rows
from audit.questions.own_data import changed_data
from audit.run.request import Request
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import Problem, evaluate
from reference.metrics import FAMILIES, METRICS
from reports.model.result import Dataset, Reference


def dataset_row(data: Data, canonical: Mapping[str, Definition]) -> Dataset:
    """Return the dataset as the result describes it; definitions that replace canonical ones are choices, too."""
    shape = data.shape
    overridden = tuple(
        f"{metric} is held against {definition}, not against its canonical definition; signatures stay relative to"
        f" {Definition.of(metric)}"
        for metric, definition in canonical.items()
    )
    return Dataset(
        name=data.name, digest=f"sha256:{data.digest}", users=shape.users, items=shape.items, pairs=shape.pairs,
        rows=shape.rows, choices={str(number): text for number, text in enumerate((*data.choices, *overridden), 1)},
        facts=tuple(fact.text for fact in data.facts),
    )  # fmt: skip


def reference_rows(data: Problem, request: Request) -> tuple[Reference, ...]:
    """Return the canonical values that functions are held against, at every cut-off, for every recommender of the run.

    On millions of rows each takes time: they are those of the metrics that the chosen versions offer, or of all metrics
    where no version was chosen.

    Args:
        data: the data of the request.
        request: the request; its definitions take the place of canonical ones.
    """
    functions = [each for manifest, version in request.chosen for each in manifest.functions_of(version)]
    offered = {each.metric for each in functions} or set(METRICS)
    others = {name: Problem.of([case], None) for name, case in request.others.items()}
    rows = []
    for metric in filter(offered.__contains__, FAMILIES):
        canonical = request.canonical.get(metric, Definition.of(metric))
        of_items = FAMILIES[metric].reads != "relevance"
        own = changed_data(with_train_rows, data) if of_items else data
        for k in request.ks if canonical.k is not None else (None,):
            definition = canonical if k is None else canonical.with_(k=k)
            value = _mean(definition, own, k)
            further = {name: _mean(definition, problem, k) for name, problem in others.items()}
            rows.append(
                Reference(
                    metric=metric, k=k, signature=definition.signature(), definition=definition.axes, value=value,
                    by_recommender={request.recommender: value, **further} if further else {},
                )
            )  # fmt: skip
    return tuple(rows)


def _mean(definition: Definition, data: Problem, k: int | None) -> float:
    return float(evaluate(definition, data.at(k)).mean[0])
