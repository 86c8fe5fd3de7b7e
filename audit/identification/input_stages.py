"""The middle stages of the search: order, ties, repeats and relevance, from probes of one user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from audit.identification.formula_stage import without_rules_beyond_policies
from audit.observations.candidates import (
    Choices,
    Values,
    distinct,
    expand,
    meaningful,
    one_of_each,
    widen,
    with_and_without_training_items,
)
from audit.observations.evidence import Evidence, contradictions, evidence_on, survivors
from audit.observations.fit import Contradicted, Fit, Fitting, contradicted
from audit.observations.observation import Observation, Tolerance
from reference.cases import KINDS, Kind, Role, Variant
from reference.definitions.definition import Definition
from reference.metrics import METRICS
from reference.space.metric import has_single_relevant

_STAGES: tuple[tuple[Role, tuple[str, ...]], ...] = (
    ("order", ("order", "ties")),
    ("duplicates", ("duplicates",)),
    ("truth_duplicates", ("truth_duplicates",)),
    ("relevance", ("relevance", "counted_scores")),
)
"""The stages: the role of the probes that each one reads, and the axes that it decides."""

CONSTANT_THRESHOLDS = ("0.5", "1", "2", "4")
"""The constants that are tried as thresholds of relevance, if gains between 0 and 1 were answered."""


@dataclass(frozen=True)
class InputStages:
    """The input stages of one search.

    Attributes:
        observation: The function's answers.
        variant: The variant of the multi-user probes that go with the formula; it selects that of all other probes.
        tolerance: Deviations up to which numbers count as equal.
        fixed_values: Values of axes that the contract of the function fixes.
        ruled_out: Axes that the contract, or the adapter, rules out: of their values the first that fits is kept.
    """

    observation: Observation
    variant: Variant
    tolerance: Tolerance
    fixed_values: Mapping[str, str] = field(default_factory=dict)
    ruled_out: frozenset[str] = frozenset()

    @property
    def has_variants(self) -> bool:
        """True if variants of the probes are read instead of the usual ones."""
        return self.variant in ("unit_gains", "above_threshold", "all_listed")

    def _kinds(self, role: Role) -> tuple[Kind, ...]:
        """Return the kinds of probes of a role that are read: the variant instead of the usual ones, if there is one.

        With all relevant items listed both are read, since most usual ones have them listed too.
        """
        usual, varied = Kind(role), Kind(role, self.variant)
        if varied not in KINDS:
            return (usual,)
        return (usual, varied) if self.variant == "all_listed" else (varied,)

    def follow(
        self, candidates: list[Definition], *, allow_other: bool
    ) -> tuple[list[Definition], tuple[str, ...]] | Contradicted:
        """Decide order, ties, repeats and relevance of the candidates.

        Args:
            candidates: The definitions that fit so far; at least one.
            allow_other: If no value of order, ties or repeats fits, go on with the value ``other`` instead of failing.

        Returns:
            The candidates that fit and the axes that could not be asked about; or the fit of a failed stage.
        """
        unidentified = tuple[str, ...]()
        # Probes of relevance show neither order nor repeats: where no rule of relevance fits, none of these helps.
        relevance = self._decide(*_STAGES[-1], candidates)
        if isinstance(relevance, Contradicted):
            return relevance
        for stage, axes in _STAGES:
            decided = self._decide(stage, axes, candidates)
            if decided is None:
                unidentified += tuple(axis for axis in axes if axis in candidates[0].axes)
            elif not isinstance(decided, Contradicted):
                candidates = one_of_each(decided, self.ruled_out)
            elif stage == "relevance" or not allow_other:
                return decided
            else:
                candidates = _with_other(candidates, axes[-1])
        return self._with_training_items(meaningful(candidates) or candidates), unidentified

    def _decide(
        self, stage: Role, axes: tuple[str, ...], candidates: list[Definition]
    ) -> list[Definition] | Contradicted | None:
        """Return the candidates that fit a stage with some values on its axes; None if the stage says nothing."""
        metric = candidates[0].metric
        parts = [evidence_on(self.observation, kind) for kind in self._kinds(stage)]
        parts += [evidence_on(self.observation, Kind("single_user"))] if stage == "relevance" else []
        if self.variant == "rated_misses" and all(part.has_no_number for part in parts):
            return None  # without rated irrelevant items there is no number: that says nothing of order or repeats
        surviving = widen(candidates, self._settled(_choices(metric, axes)))
        if stage == "relevance" and _takes_thresholds(metric) and self._fractions.measured.any():
            surviving += widen(candidates, _with_thresholds(_choices(metric, axes)))
        for part in parts:
            tried, (surviving, _) = surviving, survivors(surviving, part, self.tolerance, edges_known=False)
            if not surviving:
                return contradicted(stage, part, tried, self.tolerance, len(self.observation.probes))
        if stage == "relevance":
            return without_rules_beyond_policies(self._on_fractions(surviving), parts[-1], self.tolerance)
        return surviving

    def _settled(self, choices: Choices) -> Choices:
        """Return the choices with the values that the contract settles; all of them if it settles none."""

        def kept(values: Values) -> list[Values]:
            made = choices(values)
            fixed = {axis: value for axis, value in self.fixed_values.items() if axis in values}
            return [each for each in made if fixed.items() <= each.items()] or made

        return kept

    @property
    def _fractions(self) -> Evidence:
        return evidence_on(self.observation, Kind("fractions"))

    def _on_fractions(self, candidates: list[Definition]) -> list[Definition]:
        """Drop what gains between 0 and 1 contradict; if they contradict all, drop only constant thresholds."""
        named = [each for each in candidates if each.axes.get("relevance") not in CONSTANT_THRESHOLDS]
        surviving = survivors(candidates, self._fractions, self.tolerance, edges_known=False)[0]
        return surviving or named or candidates

    def _with_training_items(self, candidates: list[Definition]) -> list[Definition]:
        """Decide whether items that were seen in training are ranked."""
        metric, seen = candidates[0].metric, evidence_on(self.observation, Kind("seen"))

        def choices(values: Values) -> list[Values]:
            return with_and_without_training_items(values, metric)

        if seen.measured.any() and candidates[0].axes["users"] == "one_relevant":
            # No user of these probes has one relevant item only: multi-user probes and later inputs decide.
            return widen(candidates, choices)
        if not seen.has_no_number:
            return survivors(widen(candidates, choices), seen, self.tolerance, edges_known=False)[0] or candidates
        return candidates

    def recheck(self, fit: Fitting) -> Fitting:
        """Recheck a fit on the probes of one user, once the policy for users without a hit is known."""
        if "no_hit" in fit.unidentified_axes:
            return fit
        surviving = list(fit.definitions)
        for kind in chain.from_iterable(self._kinds(stage) for stage, _ in _STAGES):
            evidence = evidence_on(self.observation, kind)
            surviving = survivors(surviving, evidence, self.tolerance, edges_known=False, no_hit_known=True)[0]
        return replace(fit, definitions=tuple(surviving)) if surviving else fit

    def recheck_without_variants(self, fit: Fit, *, with_multi_user: bool) -> Fit:
        """Recheck a fit that was found on variants of probes on the probes themselves.

        Args:
            fit: The fit.
            with_multi_user: Whether multi-user probes are read as well.
        """
        if isinstance(fit, Contradicted):
            return fit
        surviving = list(fit.definitions)
        no_hit_known = "no_hit" not in fit.unidentified_axes
        for kind in (Kind("order"), Kind("duplicates"), Kind("truth_duplicates")):
            evidence = evidence_on(self.observation, kind)
            surviving = survivors(surviving, evidence, self.tolerance, edges_known=False, no_hit_known=no_hit_known)[0]
        multi_user = evidence_on(self.observation, Kind("multi_user")).refusals_if_any_expected(surviving)
        if with_multi_user:
            surviving = survivors(surviving, multi_user, self.tolerance, edges_known=True)[0]
        if surviving:
            return replace(fit, definitions=tuple(surviving))
        return contradicted("multi_user", multi_user, list(fit.definitions), self.tolerance, fit.cases)

    def largest_deviation(self, fit: Fitting) -> float:
        """Return the largest deviation of a fit on the probes of one user; that on the others is in the fit."""
        kinds = (Kind("single_user"), *(Kind(role) for role, _ in _STAGES))
        evidence = [evidence_on(self.observation, kind) for kind in kinds]
        return max(
            contradictions(definition, part, self.tolerance, edges_known=False)[1]
            for definition in fit.definitions
            for part in evidence
        )


def _choices(metric: str, axes: tuple[str, ...]) -> Choices:
    def choices(values: Values) -> list[Values]:
        # No other item stands above the only relevant one: what a rank counts shows only where that is listed twice.
        more = ("positions",) if "duplicates" in axes and has_single_relevant(values) else ()
        bases = [values]
        if "truth_duplicates" in axes and values.get("unlisted") == "dropped":
            # To drop relevant items from the formula, or from the truth before, differs where copies count in r.
            bases.append({**values, "unlisted": METRICS[metric].canonical["unlisted"], "truth": "listed"})
        return [made for base in bases for made in expand(base, metric, (*axes, *more))]

    return choices


def _takes_thresholds(metric: str) -> bool:
    """Return True if a constant threshold can say what is relevant; ratings are compared whatever they are."""
    known = METRICS[metric]
    return "relevance" in known.canonical and known.axis("relevance").numeric is not None


def _with_thresholds(choices: Choices) -> Choices:
    """Return the choices with each constant threshold as the rule of relevance."""

    def widened(values: Values) -> list[Values]:
        chosen = [each for each in choices(values) if each.get("relevance") == "positive"]
        return [{**each, "relevance": least} for each in chosen for least in CONSTANT_THRESHOLDS]

    return widened


def _with_other(candidates: list[Definition], axis: str) -> list[Definition]:
    """Return the candidates with ``other`` on an axis, if it acts on any: no value describes what was answered."""
    acting = [each for each in candidates if axis in each.axes]
    return distinct(each.with_(**{axis: "other"}) for each in acting) or candidates
