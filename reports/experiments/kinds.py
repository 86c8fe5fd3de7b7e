"""Lists all kinds of experiment, as the union that a claim's ``experiment`` is read into by its ``kind``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from recsys_metric_audit.reports.experiments.audited_functions import (
    FunctionGap,
    LibraryAgreement,
    UndocumentedMeanings,
)
from recsys_metric_audit.reports.experiments.random_rankings import RandomAveragePrecision
from recsys_metric_audit.reports.experiments.recommender_order import LostLabels, RecommenderOrder, TiedUsers
from recsys_metric_audit.reports.experiments.rounded_scores import RoundedScores
from recsys_metric_audit.reports.experiments.sampling import SampledAuc, SampledCutoff, SampledEstimates
from recsys_metric_audit.reports.experiments.small_lists import (
    NegativeLabels,
    ReachableValues,
    SmallestInversion,
    ValueAbove,
)

AnyExperiment = Annotated[
    FunctionGap
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
