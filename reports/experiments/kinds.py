"""Lists all kinds of experiment, as the union that a claim's ``experiment`` is read into by its ``kind``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from recsys_metric_audit.reports.experiments.function_gap import FunctionGap
from recsys_metric_audit.reports.experiments.lexicographic import LostLabels, TiedUsers
from recsys_metric_audit.reports.experiments.library_agreement import LibraryAgreement
from recsys_metric_audit.reports.experiments.recommender_order import RecommenderOrder
from recsys_metric_audit.reports.experiments.rounded_scores import RoundedScores
from recsys_metric_audit.reports.experiments.sampling.sampled_estimates import SampledEstimates
from recsys_metric_audit.reports.experiments.sampling.sampled_metrics import SampledAuc, SampledCutoff
from recsys_metric_audit.reports.experiments.small_lists.negative_labels import NegativeLabels
from recsys_metric_audit.reports.experiments.small_lists.possible_values import AddedHit, ValueAbove
from recsys_metric_audit.reports.experiments.small_lists.random_rankings import RandomAveragePrecision
from recsys_metric_audit.reports.experiments.small_lists.reachable_values import ReachableValues
from recsys_metric_audit.reports.experiments.small_lists.smallest_inversion import SmallestInversion
from recsys_metric_audit.reports.experiments.undocumented_meanings import UndocumentedMeanings

AnyExperiment = Annotated[
    AddedHit
    | FunctionGap
    | LibraryAgreement
    | LostLabels
    | NegativeLabels
    | RandomAveragePrecision
    | ReachableValues
    | RecommenderOrder
    | RoundedScores
    | SampledAuc
    | SampledCutoff
    | SampledEstimates
    | SmallestInversion
    | TiedUsers
    | UndocumentedMeanings
    | ValueAbove,
    Field(discriminator="kind"),
]
"""An experiment of any kind."""
