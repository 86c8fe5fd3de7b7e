"""The order of several recommenders by a definition, as the result file holds it."""

# ruff: noqa: RUF012
# Models of pydantic copy their defaults; ruff sees that of models in the module of their base only.

from __future__ import annotations

import math

from recsys_metric_audit.reports.model.fields import FrozenModel, Number, SafeText


class Lead(FrozenModel):
    """Holds the value of the first recommender minus that of another one, on the same users."""

    difference: Number
    low: Number
    """Lower end of its 95 % interval, bootstrapped over users; NaN where no user has a value of its own."""
    high: Number
    """Upper end."""

    @property
    def is_clear(self) -> bool:
        """Return True if the whole interval is above 0."""
        return self.low > 0


class DefinitionRanking(FrozenModel):
    """Holds the values of several recommenders by one definition, all by the reference: no library was asked."""

    signature: str
    """The definition, with its cut-off."""
    values: dict[str, Number] = {}
    """Its value on the predictions of each recommender, by name, rounded to 9 decimals; empty if it has none."""
    leads: dict[str, Lead] = {}
    """Lead of the recommender with the largest value over each other one, by name; rounded as the values are."""
    reason: SafeText = ""
    """Why it has no values."""

    @property
    def first(self) -> tuple[str, ...]:
        """Return the recommenders with the largest value; none if one has no number."""
        if not self.values or any(map(math.isnan, self.values.values())):
            return ()
        best = max(self.values.values())
        return tuple(name for name, value in self.values.items() if value == best)
