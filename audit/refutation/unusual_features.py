"""The unusual features of held-out cases, the axes that act on each, and those that a function is not asked about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Final

from recsys_metric_audit.audit.identification.diagnosis import Diagnosis
from recsys_metric_audit.audit.observations.observation import Observation, scalar
from recsys_metric_audit.audit.observations.probe_tables import probes
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Unaskable
from recsys_metric_audit.audit.refutation import removals
from recsys_metric_audit.audit.refutation.draft import Draft, draft_of
from recsys_metric_audit.reference.cases import Kind, Probe
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.space.edges import MAKES_ALL


@dataclass(frozen=True)
class Setting:
    """Decides whether a user is in an unusual state: by the rule of relevance, and whether there is a cut-off."""

    rule: str = "every_row"
    cutoff: bool = True

    @staticmethod
    def of(definition: Definition, *, cutoff: bool) -> Setting:
        """Return the setting of a definition."""
        return Setting(definition.axes.get("relevance", "every_row"), cutoff)


@dataclass(frozen=True)
class Feature:
    """Describes an unusual feature of a case: its name, how it is removed, and the axes that act on it.

    A feature without axes is part of what a formula is about: where it is mispredicted, the formula is refuted. One
    that is ``told`` is not: what no definition says of it is told, and the rest is tried without it. One that ``needs``
    another is gone where the other is removed. How it is removed depends on what it ``reads`` of the setting.
    """

    name: str
    removal: Callable[..., Draft]
    axes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    told: bool = False
    reads: tuple[str, ...] = ()

    def remove(self, draft: Draft, setting: Setting) -> Draft:
        """Return a draft without the feature."""
        return self.removal(draft, *(getattr(setting, each) for each in self.reads))


_RULE, _STATE = ("rule",), ("rule", "cutoff")
_told = partial(Feature, told=True)
_ALL: Final = (
    _told("one user alone", removals.several_users),
    _told("one pair alone", removals.several_pairs, needs=("one user alone", "users without irrelevant items")),
    _told("a cut-off above the number of items", removals.k_within_items),
    _told("gains below 1/8", removals.usual_gains, needs=("irrelevant truth rows", "gains other than 1")),
    _told("scores a billionth apart", removals.separate_scores),
    _told("copies of other gains", removals.equal_copies, needs=("repeated truth rows", "several relevant items")),
    Feature("fractional gains", removals.whole_gains),
    Feature("gains other than 1", removals.gains_of_1),
    Feature("irrelevant truth rows", removals.all_relevant, ("relevance",), reads=_RULE),
    Feature("repeated truth rows", removals.truth_once, ("truth_duplicates",), ("several relevant items",)),
    Feature("several relevant items", removals.one_relevant, reads=_RULE),
    Feature("repeated items", removals.items_once, ("duplicates",)),
    Feature("training items", removals.no_training_items, ("candidates",)),
    Feature("unlisted relevant items", removals.listed_truth),
    Feature("short lists", removals.filled_lists, ("short_lists",)),
    Feature("scores of 0 and less", removals.positive_scores, ("counted_scores",)),
    Feature("long runs of ties", removals.short_runs, ("ties", "tied_scores"), ("ties",)),
    Feature("ties", removals.distinct_scores, ("ties", "tied_scores")),
    Feature("rows out of order", removals.sorted_rows, ("order",)),
    Feature("users without a list", removals.only_users_with_list, ("no_list", "users")),
    Feature("users without relevant items", removals.only_users_with_relevant, ("undefined", "users"), reads=_RULE),
    Feature("users without irrelevant items", removals.only_users_with_irrelevant, ("no_negatives",), reads=_STATE),
    Feature("users without a hit", removals.only_users_with_hit, ("no_hit",), reads=_STATE),
)
FEATURES: Final = {feature.name: feature for feature in _ALL}
"""Maps names to features, in the order in which they are removed."""
_EDGES: Final = ("no_list", "undefined", "no_negatives", "no_hit")
_REFUSALS: Final = 2
"""Counts as refused a feature with at least so many refused probes, and none answered."""
_ASKED_KINDS: Final = (
    Kind("single_user"), Kind("order"), Kind("duplicates"), Kind("truth_duplicates"), Kind("relevance"),
    Kind("fractions"), Kind("multi_user"), Kind("multi_user", "all_listed"),
)  # fmt: skip


def without(draft: Draft, removed: Collection[str], setting: Setting) -> Draft:
    """Return the draft without some features, in their fixed order."""
    for name in FEATURES:
        # Without ties there are no long runs of them; removed twice, scores would come too close to each other.
        if name in removed and not (name == "long runs of ties" and "ties" in removed):
            draft = _without(name, draft, setting)
    return draft


def features_of(draft: Draft, setting: Setting) -> frozenset[str]:
    """Return the features that the draft has: their removal changes it."""
    return frozenset(name for name in FEATURES if _without(name, draft, setting) != draft)


@lru_cache(maxsize=10_000)
def _without(name: str, draft: Draft, setting: Setting) -> Draft:
    """Return the draft without one feature; kept, since all functions are asked the same held-out cases."""
    return FEATURES[name].remove(draft, setting)


def acted_on_by(axes: Collection[str]) -> frozenset[str]:
    """Return the features on which one of ``axes`` acts."""
    return frozenset(name for name, feature in FEATURES.items() if not set(axes).isdisjoint(feature.axes))


def not_asked(diagnosis: Diagnosis, setting: Setting) -> frozenset[str]:
    """Return the features that are left out of what a function is asked.

    They are ruled out by its contract, or known to be refused; an axis that is not known acts on them; or they would
    make one number of a whole case.
    """
    assert diagnosis.fit is not None
    function, definitions = diagnosis.function, diagnosis.fit.definitions
    first = definitions[0]
    silent = {*function.ruled_out, *diagnosis.fit.unidentified_axes}
    silent |= {axis for each in definitions for axis, value in each.axes.items() if value == "other"}
    silent |= {axis for each in definitions for axis, value in each.axes.items() if value != first.axes.get(axis)}
    out = set(acted_on_by(silent)) | set(_known_refusals(diagnosis.observation, setting))
    if function.takes.whole_gains_only:
        out |= {"fractional gains", "gains below 1/8"}
    absorbing = {axis for each in definitions for axis in _EDGES if each.axes.get(axis) in MAKES_ALL}
    if not _gives_values_of_users(diagnosis.observation):
        out |= acted_on_by(absorbing)
    else:
        out |= acted_on_by({axis for axis in absorbing if any(each.axes[axis] != "nan" for each in definitions)})
    if any(each.axes.get("duplicates") == "error" for each in definitions):
        out.add("repeated items")
    if any(each.axes.get("truth_duplicates") == "error" for each in definitions):
        out.add("repeated truth rows")
    if any(each.axes.get("ties") == "average" for each in definitions):
        out.add("long runs of ties")
    return frozenset(out)


def _gives_values_of_users(observation: Observation) -> bool:
    """Return True if the function gives values of several users and no mean of them."""
    return any(
        isinstance(each, Measured) and scalar(each) is None and each.users is not None
        for each in observation.probes.values()
    )


def _known_refusals(observation: Observation, setting: Setting) -> frozenset[str]:
    """Return the features with which every probe was refused that was asked, several of them."""
    refused, answered = list[frozenset[str]](), set[str]()
    for probe in _asked(observation):
        match observation.probes.get(probe.name):
            case Errored() | Unaskable():
                refused.append(features_of_probe(probe, setting))
            case Measured():
                answered |= features_of_probe(probe, setting)
    counted = {name: sum(name in each for each in refused) for name in FEATURES}
    return frozenset(name for name, count in counted.items() if count >= _REFUSALS and name not in answered)


def _asked(observation: Observation) -> Iterable[Probe]:
    yield from (probe for kind in _ASKED_KINDS for probe in probes(kind, observation.k))
    yield from observation.further_probes


@cache
def features_of_probe(probe: Probe, setting: Setting) -> frozenset[str]:
    """Return the unusual features of a probe."""
    return features_of(draft_of(probe), setting)
