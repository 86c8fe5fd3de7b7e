"""All kinds of experiment, as the union that a claim's ``experiment`` is read into by its ``kind``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from reports.experiments.random_rankings import RandomAveragePrecision
from reports.experiments.recommender_order import RecommenderOrder
from reports.experiments.rounded_scores import RoundedScores
from reports.experiments.sampled_metrics import SampledAuc, SampledOrder
from reports.experiments.smallest_inversion import SmallestInversion

AnyExperiment = Annotated[
    RandomAveragePrecision | RecommenderOrder | RoundedScores | SampledAuc | SampledOrder | SmallestInversion,
    Field(discriminator="kind"),
]
"""An experiment of any kind."""
