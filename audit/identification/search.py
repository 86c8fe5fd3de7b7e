"""Identification by elimination: the search for all definitions that fit the answers of a function.

It reads numbers only, never a library's name, its claims, or what was found before. It runs in stages, each on probes
on which all later axes make no difference: the formula on single-user probes; order and input axes on theirs;
averaging and edge policies on multi-user probes. Survivors are reduced to their provably equal short form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType

from audit.identification.formula_stage import (
    fitting_formulas,
    fitting_plain_probes,
    nearest_formula,
    shows_a_formula,
)
from audit.identification.input_stages import InputStages
from audit.identification.multi_user_stages import MultiUserEvidence, follow_stages
from audit.identification.recheck import (
    evidence_on_distinguishing_inputs,
    needs_all_listed,
    recheck_on_distinguishing_inputs,
    recheck_on_rated_users,
    recheck_on_small_lists,
)
from audit.identification.search_limits import (
    MAX_ALTERNATIVE_FORMULAS,
    MAX_ALTERNATIVE_FORMULAS_ELSEWHERE,
    MAX_CHECKED_ON_SMALL_LISTS,
    MIN_PROBES_DECIDED,
    MIN_SHARE_OTHER_FAMILY,
    SINGLE_PRECISION,
)
from audit.observations import probe_tables
from audit.observations.candidates import distinct, split_other
from audit.observations.evidence import evidence_on
from audit.observations.fit import Contradicted, Fit, Fitting, is_suspended
from audit.observations.observation import Observation, Tolerance, infer_tolerance, user_tolerance
from reference.cases import Kind, Variant
from reference.definitions.definition import Definition
from reference.evaluation.evaluate import takes_one_ranking
from reference.metrics import METRICS

_VARIANTS: Mapping[Variant, Variant] = {
    "usual": "usual", "unit_gains": "unit_gains", "above_threshold": "above_threshold", "one_relevant": "usual",
    "one_relevant_unit_gain": "unit_gains", "rated_misses": "rated_misses",
}  # fmt: skip
"""The variants of single-user probes that formulas are fitted to, each with the variant of multi-user probes that goes
with it. Those after the first are asked only if nothing fits the first."""

CanBeNarrowed = Callable[[Fitting], bool]
"""Tells whether an input can be asked that would leave fewer of the definitions of a suspended search."""
Judge = Callable[[Fit], Fit]
"""Returns a complete fit, or why it is none."""


def identify(
    observation: Observation,
    metric: str,
    *,
    has_k: bool = True,
    can_be_narrowed: CanBeNarrowed = lambda fit: True,
    judge: Judge = lambda fit: fit,
    fixed_values: Mapping[str, str] = MappingProxyType({}),
    ruled_out: frozenset[str] = frozenset(),
) -> Fit:
    """Find the definitions that fit an observation, in the function's own family first, then in all others.

    Args:
        observation: The answers of the function.
        metric: The family whose name the function bears.
        has_k: Whether the function takes a cut-off.
        can_be_narrowed: Called where too many definitions are left to follow. The search is suspended if it returns
            True, and otherwise completed as far as can be.
        judge: Called with every fit of a group of formulas that is not suspended; what it rejects is none.
        fixed_values: Values of axes that the contract of the function fixes.
        ruled_out: Axes that its contract or its adapter rules out.
    """
    tolerance = infer_search_tolerance(observation)
    search = _Search(observation, has_k, tolerance, can_be_narrowed, judge, fixed_values, ruled_out)
    fit = _search_families(search, metric)
    if not fit.definitions and ruled_out:
        # Of an axis that is ruled out the first value that fitted was kept, and a later answer may contradict it.
        fit = _search_families(replace(search, ruled_out=frozenset()), metric)
    if fit.definitions or tolerance.width >= SINGLE_PRECISION.width:
        return fit
    # Sums in single precision that are divided in double come back as double.
    coarse = _search_families(replace(search, tolerance=SINGLE_PRECISION), metric)
    return coarse if coarse.definitions else fit


def identify_other_metric(
    observation: Observation,
    metric: str,
    *,
    has_k: bool,
    can_be_narrowed: CanBeNarrowed,
    judge: Judge,
    fixed_values: Mapping[str, str],
    ruled_out: frozenset[str],
) -> Fit | None:
    """Find definitions of another metric than the function's name says; None if no other fits.

    See :func:`identify` for the arguments.
    """
    tolerance = infer_search_tolerance(observation)
    search = _Search(observation, has_k, tolerance, can_be_narrowed, judge, fixed_values, ruled_out)
    return _search_other_families(search, metric)


def infer_search_tolerance(observation: Observation) -> Tolerance:
    """Infer the tolerance from all answers, or from those on single-user probes where each user's value is rounded."""
    tolerance = infer_tolerance([*observation.probes.values(), *observation.data.values()])
    if tolerance.width >= SINGLE_PRECISION.width:
        return tolerance
    plain = (observation.probes.get(probe.name) for probe in probe_tables.probes(Kind("single_user"), observation.k))
    return user_tolerance(filter(None, plain)) or tolerance


def _search_families(search: _Search, metric: str) -> Fit:
    own = search.family(metric, max_level=3)
    return own if isinstance(own, Fitting) else _search_other_families(search, metric) or own


def _search_other_families(search: _Search, metric: str) -> Fit | None:
    fitting: list[Fitting] = []
    for other in METRICS:
        fit = search.family(other, max_level=1) if other != metric else None
        if not isinstance(fit, Fitting):
            continue
        fitting.append(fit)
        if not fit.definitions[0].differs_on:
            break
    if not fitting:
        return None
    # Families overlap (hits over k are a hit rate too): the one that differs least from its canonical is reported.
    return min(fitting, key=lambda each: len(each.definitions[0].differs_on))


@dataclass(frozen=True)
class _Search:
    """One search at one tolerance."""

    observation: Observation
    has_k: bool
    tolerance: Tolerance
    can_be_narrowed: CanBeNarrowed
    judge: Judge
    fixed_values: Mapping[str, str]
    ruled_out: frozenset[str]

    def family(self, metric: str, max_level: int) -> Fit:
        """Search one family; return the first fit without ``other``, or else the first one with definitions.

        Groups of formulas with the fewest changes of input and cut-off come first. If one fails at a later stage, or
        only fits with ``other`` ties or repeats, the next one is tried: it may agree on single-user probes only
        because its input is another one.
        """
        first: Fit | None = None
        for variant, multi_user in islice(_VARIANTS.items(), None if max_level > 1 else 1):
            if self._can_skip(variant, is_first=first is None):
                continue
            evidence = evidence_on(self.observation, Kind("single_user", variant))
            share = 0.0 if max_level > 1 else MIN_SHARE_OTHER_FAMILY
            least = max(MIN_PROBES_DECIDED, share * int(evidence.measured.sum()))
            for points in fitting_formulas(evidence, metric, self.has_k, self.tolerance, max_level, least):
                definitions = (Definition.of(metric, each, "k" if self.has_k else None) for each in points)
                candidates = fitting_plain_probes(distinct(definitions), self.observation, self.tolerance)
                if not candidates or (first is not None and len(candidates) > _max_alternatives(variant)):
                    continue
                fit = self._follow(candidates, multi_user, is_first=first is None or not first.definitions)
                if fit.definitions and not split_other(fit.definitions)[0]:
                    return fit
                if first is None or (fit.definitions and not first.definitions):
                    first = fit
        if first is not None:
            return first
        # The nearest formula is told of the function's own family, and of the search at the tolerance of its answers.
        if max_level == 1 or self.tolerance is SINGLE_PRECISION:
            return Contradicted("formula", self.tolerance, len(self.observation.probes))
        plain = evidence_on(self.observation, Kind("single_user"))
        return nearest_formula(plain, metric, self.has_k, self.tolerance, len(self.observation.probes))

    def _can_skip(self, variant: Variant, *, is_first: bool) -> bool:
        """Return whether a variant of the probes is for functions unlike this one."""
        if variant == "rated_misses":  # for functions without a number where irrelevant items are not rated
            return not is_first
        if variant in ("unit_gains", "one_relevant_unit_gain"):  # for functions to which only gains of 1 are relevant
            return shows_a_formula(evidence_on(self.observation, Kind("single_user")), self.tolerance)
        return False

    def _follow(self, candidates: list[Definition], variant: Variant, *, is_first: bool) -> Fit:
        """Run all later stages on the candidates, and recheck what survives."""
        if needs_all_listed(self.observation, than=variant):
            variant = "all_listed"
        stages = InputStages(self.observation, variant, self.tolerance, self.fixed_values, self.ruled_out)
        fit = self._through_stages(stages, candidates, is_first=is_first)
        if isinstance(fit, Fitting) and fit.suspended:
            if self.can_be_narrowed(fit):
                return fit
            fit = self._through_stages(stages, candidates, is_first=is_first, forced=True)
        return self.judge(recheck_on_distinguishing_inputs(fit, self.observation))

    def _through_stages(
        self, stages: InputStages, candidates: list[Definition], *, is_first: bool, forced: bool = False
    ) -> Fit:
        # Once a group fits, no other is taken of which no value describes the ties or repeats.
        followed = stages.follow(candidates, allow_other=is_first)
        if isinstance(followed, Contradicted):
            return followed
        candidates, unidentified = followed
        evidence = MultiUserEvidence(
            multi_user=evidence_on(self.observation, Kind("multi_user", stages.variant)),
            degenerate=evidence_on(self.observation, Kind("degenerate")),
            further=evidence_on_distinguishing_inputs(self.observation),
            tolerance=self.tolerance,
            asked=len(self.observation.probes),
        )
        fit = follow_stages(evidence, candidates, forced=forced)
        fit = replace(fit, unidentified_axes=(*unidentified, *fit.unidentified_axes))
        if isinstance(fit, Fitting):
            fit = self._rechecked(stages, fit)
        if stages.has_variants:
            is_open = is_suspended(fit) or self._degenerate_probes_missing(fit)
            fit = stages.recheck_without_variants(fit, with_multi_user=not is_open)
        return fit

    def _rechecked(self, stages: InputStages, fit: Fitting) -> Fit:
        """Recheck a fit on all other probes, unless it has too many definitions or waits for inputs."""
        fit = stages.recheck(fit)
        if len(fit.definitions) > MAX_CHECKED_ON_SMALL_LISTS or fit.suspended:
            return fit
        if self._degenerate_probes_missing(fit):
            return fit
        fit = replace(fit, deviation=max(fit.deviation, stages.largest_deviation(fit)))
        return recheck_on_small_lists(recheck_on_rated_users(fit, self.observation), self.observation)

    def _degenerate_probes_missing(self, fit: Fit) -> bool:
        """Return whether a candidate ranks all rows together and the probes with all users in one state were not asked.

        On some small lists all users are in one state, too.
        """
        asked = any(probe.name in self.observation.probes for probe in probe_tables.probes(Kind("degenerate")))
        return not asked and any(map(takes_one_ranking, fit.definitions))


def _max_alternatives(variant: Variant) -> int:
    return MAX_ALTERNATIVE_FORMULAS.get(variant, MAX_ALTERNATIVE_FORMULAS_ELSEWHERE)
