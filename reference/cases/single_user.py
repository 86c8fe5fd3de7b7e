"""Single-user probes: distinct positive scores, nothing unusual. They determine the formula.

Rows of the table are "gains by rank | k | gains of relevant items that are not listed". Sixteen of them separate all
formulas, each with its cut-off and input as they should be or changed in one way; whether a formula holds everywhere is
checked on every small list (:mod:`reference.cases.exhaustive`).
"""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.reference.cases.probe import (
    Kind,
    Probe,
    User,
    Variant,
    above_threshold,
    case_from_users,
    unit_gains,
)

_TABLE = (
    ("2 0 0 0 | 3 | 2", "precision: k against min(k, r); a hit first, one item missed"),
    ("0 2 2 0 0 | 3 | 2", "hits at 2 and 3: first, sum, mean, normalised sum, last"),
    ("4 2 0 0 | 2 |", "graded gains in the right order: a perfect ranking"),
    ("0 4 2 0 0 0 | 5 | 2 2", "graded, r below k"),
    ("2 0 0 4 0 0 | 2 | 4 2", "the best stands below k: the ideal from the list or from the truth"),
    ("0 0 2 4 0 2 0 | 3 | 4", "several below k"),
    ("2 0 | 5 | 2 2 2", "list of two, k five, r four"),
    ("2 4 2 | 5 | 2 2 2 4", "short, all hits, r above k"),
    ("0 2 0 2 | 6 |", "short, r below the list's length"),
    ("2 | 1 |", "one item, one relevant: no irrelevant item"),
    ("2 0 2 2 0 0 | 2 | 2", "one hit inside, two outside of k"),
    ("0 0 2 0 0 | 2 | 2", "first hit at k + 1: nothing, unless the cut is off by one or ignored"),
    ("2 2 2 0 0 | 1 |", "all at the top, k one"),
    ("3 2 0 4 0 | 3 | 2", "three different gains"),
    ("2.5 4 0 0 | 2 | 2", "a fractional gain: cast to int or not"),
    ("4 6 0 0 | 2 | 2", "a gain above the scale: capped or not"),
    ("0 0 0 0 0 0 0 0 0 0 0 2 0 0 4 0 0 | 15 | 2", "first hit at rank 12: lists or k cut at 10"),
    ("2 0 0 2 0 0 2 0 0 0 4 2 0 | 12 | 4", "twelve shown"),
)


def _kind(variant: Variant) -> Kind:
    return Kind("single_user", variant)


def _probe(text: str, why: str) -> Probe:
    ranked, k, missed = (part.split() for part in text.split("|"))
    user = User(tuple(map(float, ranked)), tuple(map(float, missed)))
    name = f"[{' '.join(ranked)}] k{k[0]}" + (f" miss {' '.join(missed)}" if missed else "")
    return Probe(Kind("single_user"), case_from_users(name, [user], why=why), int(k[0]), (user,))


USUAL = tuple(_probe(text, why) for text, why in _TABLE)


def _with_unit_gains(probe: Probe) -> Probe:
    """Return the probe with every gain and the threshold set to 1, for functions that accept no other gain."""
    ones = unit_gains(probe.users[0])
    case = case_from_users(f"gains of 1: {probe.name}", [ones], threshold=1.0, why=f"{probe.case.why}, all gains 1")
    return Probe(_kind("unit_gains"), case, probe.k, (ones,))


def _with_reversed_truth(probe: Probe, why: str) -> Probe:
    """Return the probe with its truth rows reversed, so that the first is not the best ranked item."""
    truth = probe.case.truth
    turned = replace(truth, user=truth.user[::-1], item=truth.item[::-1], gain=truth.gain[::-1])
    case = replace(probe.case, name=f"{probe.name}, truth the other way round", truth=turned, why=why)
    return replace(probe, case=case)


UNIT_GAINS = (
    *(_with_unit_gains(probe) for probe in USUAL),
    _with_reversed_truth(
        _with_unit_gains(_probe("0 2 0 2 0 | 3 |", "")), "the first truth row stands below k, another inside"
    ),
    _with_reversed_truth(
        _with_unit_gains(_probe("2 0 0 0 | 2 | 2", "")), "the first truth row stands nowhere, another is a hit"
    ),
)
"""Asked only of functions for which no formula fits the usual probes."""

ABOVE_THRESHOLD = tuple(map(above_threshold, USUAL))
"""The usual probes with all gains above the threshold, for functions that accept no others."""

_ONE = (
    ("0 3 0 0 | 3 |", "the only relevant item at rank 2"),
    ("4 0 0 0 0 | 2 |", "the only relevant item first, k below the list's length"),
    ("0 0 3 0 0 0 | 5 |", "the only relevant item at rank 3, five shown"),
    ("0 0 0 4 0 | 3 |", "the only relevant item at k + 1"),
    ("0 0 0 0 3 0 0 | 3 |", "the only relevant item further down"),
    ("0 3 | 5 |", "a list of two, the only relevant item last"),
    ("0 0 0 | 2 | 4", "the only relevant item is not recommended"),
    ("4 0 | 1 |", "k one"),
    ("0 0 0 0 0 0 0 0 0 0 0 4 0 | 15 |", "the only relevant item at rank 12"),
    ("0 0 2.5 0 | 4 |", "a fractional gain"),
)

ONE_RELEVANT = tuple(replace(_probe(text, why), kind=_kind("one_relevant")) for text, why in _ONE)
"""One relevant item, above the threshold, for functions that average over such users only.

Asked only of functions for which no formula fits the usual probes.
"""
ONE_RELEVANT_UNIT_GAIN = tuple(
    replace(_with_unit_gains(probe), kind=_kind("one_relevant_unit_gain"))
    for probe in ONE_RELEVANT
    if "fractional" not in probe.name
)
"""One relevant item with a gain of 1."""
