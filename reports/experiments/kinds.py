"""Lists all kinds of experiment, as the union that a claim's ``experiment`` is read into by its ``kind``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from reports.experiments.function_gap import FunctionGap
from reports.experiments.library_agreement import LibraryAgreement
from reports.experiments.negative_labels import NegativeLabels
from reports.experiments.possible_values import AddedHit, ValueAbove
from reports.experiments.random_rankings import RandomAveragePrecision
from reports.experiments.recommender_order import RecommenderOrder
from reports.experiments.rounded_scores import RoundedScores
from reports.experiments.sampled_metrics import SampledAuc, SampledOrder
from reports.experiments.smallest_inversion import SmallestInversion
from reports.experiments.undocumented_meanings import UndocumentedMeanings

AnyExperiment = Annotated[
    AddedHit
    | FunctionGap
    | LibraryAgreement
    | NegativeLabels
    | RandomAveragePrecision
    | RecommenderOrder
    | RoundedScores
    | SampledAuc
    | SampledOrder
    | SmallestInversion
    | UndocumentedMeanings
    | ValueAbove,
    Field(discriminator="kind"),
]
"""An experiment of any kind."""
