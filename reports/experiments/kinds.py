"""Lists all kinds of experiment, as the union that a claim's ``experiment`` is read into by its ``kind``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from recsys_metric_audit.reports.experiments import audited_functions, recommender_order, sampling, small_lists
from recsys_metric_audit.reports.experiments.random_rankings import RandomAveragePrecision
from recsys_metric_audit.reports.experiments.rounded_scores import RoundedScores

AnyExperiment = Annotated[
    audited_functions.FunctionGap
    | audited_functions.LibraryAgreement
    | audited_functions.UndocumentedMeanings
    | RandomAveragePrecision
    | recommender_order.LostLabels
    | recommender_order.RecommenderOrder
    | recommender_order.TiedUsers
    | RoundedScores
    | sampling.SampledAuc
    | sampling.SampledCutoff
    | sampling.SampledEstimates
    | small_lists.NegativeLabels
    | small_lists.ReachableValues
    | small_lists.SmallestInversion
    | small_lists.ValueAbove,
    Field(discriminator="kind"),
]
"""An experiment of any kind."""
