"""The inputs of the hand-computed values beyond accuracy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.support.generated_inputs import make

TRAIN = [(1, 10), (2, 10), (3, 10), (4, 10), (1, 11), (2, 11), (3, 12), (4, 13)]
"""Of four users all have item 10, two have 11, one has 12 and one has 13: eight rows."""
SHOP = make(
    [(1, 12, 9.0), (1, 20, 8.0), (1, 13, 7.0), (2, 12, 9.0), (2, 10, 8.0), (5, 11, 9.0)],
    [(1, 12, 1.0), (3, 30, 1.0)],
    TRAIN,
    catalogue=[10, 11, 12, 13, 20, 30, 40, 41],
)
"""The first two places: 12 and 20 to user 1, 12 and 10 to user 2, 11 to user 5. Nobody has item 20; user 3 has truth
rows only. Eight items exist."""
NOTHING = make([], [(1, 12, 1.0)], TRAIN, catalogue=[10, 11, 12, 13])
TWICE = make([(1, 10, 9.0), (1, 10, 8.0), (1, 12, 7.0)], [(1, 12, 1.0)], TRAIN, catalogue=[10, 11, 12, 13])
"""Item 10 at the first two places, 12 below."""
TIED = make([(1, 9, 5.0), (1, 100, 5.0), (1, 10, 5.0)], [], [(1, 9), (2, 9), (3, 9), (1, 100), (2, 100), (3, 10)])
"""Three items of equal score, which three users, two and one have."""
ASCENDING = make([(1, 10, 1.0), (1, 12, 2.0)], [], TRAIN)
"""The better item stands last."""
TWENTY = make(
    [(1, 1, 9.0), (1, 17, 8.0), (1, 16, 7.0), (1, 3, 6.0), (2, 2, 9.0)],
    [(1, 17, 1.0)],
    [(100 + item, item) for item in range(1, 21)],
)
"""Twenty items, each of which one user has: only ids decide which are popular."""
ONE_HAS_MOST = replace(SHOP, train=replace(SHOP.train, user=np.arange(8)))
"""Each train row is that of a user of its own: eight users, and the most rows of an item are four."""
