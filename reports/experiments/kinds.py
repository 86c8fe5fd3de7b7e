"""All kinds of experiment, as the union that a claim's ``experiment`` is read into by its ``kind``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from reports.experiments.random_rankings import RandomAveragePrecision

AnyExperiment = Annotated[RandomAveragePrecision, Field(discriminator="kind")]
"""An experiment of any kind."""
