"""The numbers that bound the search: how many definitions are followed, and how much evidence a finding needs."""

from __future__ import annotations

from typing import Literal

from audit.observations.observation import Tolerance
from reference.cases import Variant

Purpose = Literal[
    "opening", "refuting", "items", "initial", "all_listed", "variants", "degenerate", "distinguishing", "edges",
    "single_list", "threshold", "confirming",
]  # fmt: skip
"""What a function is asked further probes for:

- ``opening``: few of the first probes were answered; some with all relevant items listed.
- ``refuting``: a known definition fits; probes that would refute it.
- ``items``: a metric beyond accuracy; probes that tell apart the definitions that fit so far.
- ``initial``: no known definition fits; the initial probes that are left.
- ``all_listed``: few multi-user probes were answered; probes with all relevant items listed.
- ``variants``: no formula fits; variants of the probes may show one.
- ``degenerate``: all rows are one ranking; probes on which all users are in the same unusual state.
- ``distinguishing``: several definitions fit; inputs that tell them apart.
- ``edges``: one definition fits; states that no multi-user probe has shown.
- ``single_list``: small lists contradict all definitions; each small list by itself, to find the smallest.
- ``threshold``: one definition fits, with a threshold of relevance of its own; inputs that tell which number it is.
- ``confirming``: one definition fits; held-out inputs on which it has to be right.
"""
MAX_TESTS = 8
"""After so many questions that leave rivals of a known definition, all definitions are searched."""
MAX_ITEM_QUESTIONS = 100
"""There are fewer probes of shown items, and each question asks a new one: it ends by itself."""
BUDGET: dict[Purpose, int] = {
    "opening": 1, "refuting": MAX_TESTS, "items": MAX_ITEM_QUESTIONS, "initial": 1, "all_listed": 1, "variants": 1,
    "degenerate": 1, "distinguishing": 4, "edges": 2, "single_list": 1, "threshold": 8, "confirming": 2,
}  # fmt: skip
"""How many times a function is asked again for each purpose."""

MAX_FOLLOWED = 6000
"""If a multi-user stage would create more definitions than this, the search is suspended until fewer are left."""
MAX_FOLLOWED_WHEN_STUCK = 20_000
"""If no further input would make them fewer, at most this many definitions are followed."""
MAX_ALTERNATIVE_FORMULAS: dict[Variant, int] = {"usual": 300}
MAX_ALTERNATIVE_FORMULAS_ELSEWHERE = 30
"""Once a first group of formulas was contradicted, a group larger than this is not tried: by the variant of the probes
that the group fits, and for all other variants."""
MAX_CHECKED_ON_SMALL_LISTS = 30
"""If more definitions than this fit, the exhaustive small lists wait until further inputs have left fewer."""

MIN_SHARE_OTHER_FAMILY = 0.5
"""Share of the probes answered with a number that the formula must decide before another family's is reported."""
MIN_PROBES_DECIDED = 3
"""Number of such probes for a formula of any family; some are 0/0 on most small lists."""

SINGLE_PRECISION = Tolerance(2e-6, "float64 that agrees to single precision only")
"""The tolerance that is tried where nothing fits in double precision."""
