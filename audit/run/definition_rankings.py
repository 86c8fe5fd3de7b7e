"""The order of several recommenders by every definition that a run identified, computed by the reference.

Libraries are not asked. ``python -m recsys_metric_audit.audit.run.definition_rankings`` renews the rankings of the
packaged run, a part of ``make docs``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.data.recommenders import RECOMMENDERS
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate, takes_one_ranking
from recsys_metric_audit.reference.evaluation.prepared import UserTerms
from recsys_metric_audit.reference.input.case import Case, Floats
from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError
from recsys_metric_audit.reference.uncertainty.bootstrap import bootstrap_means, percentiles
from recsys_metric_audit.reports.model.ranking import DefinitionRanking, Lead
from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.model.result_file import PACKAGED_RUN, read_result, write_packaged_run
from recsys_metric_audit.reports.wording.labels import PAPER_METRICS
from recsys_metric_audit.reports.wording.meanings import IDENTIFIED

LEVEL = 0.95
_DECIMALS = 9


def with_rankings(result: Result, cases: Mapping[str, Case]) -> Result:
    """Return a result with the order of the recommenders by each definition of the metrics of Table 1 that it has.

    Args:
        result: The result of a run.
        cases: The data of the run with the predictions of each recommender, by name; all with the same users. The
            first is the one whose predictions the libraries were given.
    """
    signatures = [row.signature for row in result.reference if row.metric in PAPER_METRICS]
    signatures += sorted(
        each.signature
        for each in result.findings
        if each.metric in PAPER_METRICS and each.verdict in IDENTIFIED and each.signature
    )
    problems = {name: Problem.of([case], max(result.k)) for name, case in cases.items()}
    measured = [_measured(each, problems) for each in dict.fromkeys(signatures)]
    # Most definitions differ in unusual users only: what each user adds is drawn from once.
    distinct = {each.key: each.terms for each in measured if each.terms}
    drawn = iter(bootstrap_means([terms for every in distinct.values() for terms in every]))
    means = {key: dict(zip(problems, islice(drawn, len(problems)), strict=True)) for key in distinct}
    return result.model_copy(update={"rankings": tuple(each.ranking(means.get(each.key, {})) for each in measured)})


@dataclass(frozen=True, eq=False)
class _Measured:
    """Holds a definition with its value by recommender, and for each what users add to it; none in one ranking."""

    signature: str
    values: Mapping[str, float]
    terms: Sequence[UserTerms] = ()
    reason: str = ""

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Return what the drawn means follow from, equal for definitions that are the same on these data."""
        return tuple(
            (each.numerator.tobytes(), each.denominator.tobytes(), each.root, each.exponential)
            for terms in self.terms
            for each in terms.terms
        )

    def ranking(self, drawn: Mapping[str, Floats]) -> DefinitionRanking:
        """Return the values with the leads of the first recommender.

        Args:
            drawn: The mean of each recommender in every sample of users; empty without users to draw.
        """
        rounded = {name: round(value, _DECIMALS) for name, value in self.values.items()}
        ranking = DefinitionRanking(signature=self.signature, values=rounded, reason=self.reason)
        if not ranking.first:
            return ranking
        best = ranking.first[0]
        leads = {
            name: _lead(self.values[best] - value, drawn[best] - drawn[name] if drawn else np.empty(0))
            for name, value in self.values.items()
            if name != best
        }
        return ranking.model_copy(update={"leads": leads})


def _measured(signature: str, problems: Mapping[str, Problem]) -> _Measured:
    definition, values, terms = parse(signature), {}, []
    for name, problem in problems.items():
        own = problem.at(definition.k) if isinstance(definition.k, int) else problem
        try:
            made = evaluate(definition, own)
        except TooManyOrdersError as error:
            return _Measured(signature, {}, reason=f"{name}: {error}")
        values[name] = float(made.mean[0])
        terms.append(UserTerms(definition, own.placement.users, made.terms))
    return _Measured(signature, values, () if takes_one_ranking(definition) else terms)


def _lead(difference: float, drawn: Floats) -> Lead:
    low, high = percentiles(drawn, LEVEL)
    return Lead(difference=round(difference, _DECIMALS), low=round(low, _DECIMALS), high=round(high, _DECIMALS))


def renewed(result: Result) -> Result:
    """Return a result on built-in data with the rankings of all built-in recommenders."""
    return with_rankings(result, {name: data.load(result.dataset.name, name).case for name in RECOMMENDERS})


if __name__ == "__main__":
    write_packaged_run(renewed(read_result(PACKAGED_RUN)))
