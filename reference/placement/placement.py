"""The placement: where each relevant item stands in the lists. Every definition is a function of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from recsys_metric_audit.reference.input.case import Ids
from recsys_metric_audit.reference.space.lists import Floats, Ints


@dataclass(frozen=True, eq=False)
class Placement:
    """Arrays with one entry for each relevant place (sorted by user and row), and arrays with one for each user.

    A place is a truth row together with one row of the user's list that holds its item (several where an item
    is recommended twice, one with ``row = -1`` where it is not recommended). Per place:

    * ``user`` (index), ``item``, ``gain``, ``score`` (NaN where unlisted),
    * ``row``: 0-based row in the user's list as given; ``truth_row``: 0-based among the user's truth rows;
    * ``above``: rows of the user that score strictly higher; ``tied``: rows that score the same, itself
      included; ``before``, ``before_item``, ``before_text``: of the tied rows, the rows that stand earlier as
      given, by item id as a number, by item id as text;
    * ``repeat``: how many times the item stood earlier in the ranking;
    * ``copy``: how many truth rows of the same user and item came earlier.

    Per user: ``users`` (id), ``length`` (rows), ``given`` (rows before some were selected as candidates), ``repeats``
    (rows whose item stood earlier), ``truth_rows``, ``train`` (train rows), ``catalogue`` (items that exist),
    ``threshold``, ``lowest``, ``highest``, ``at_half`` (rows with a score of 0.5 and more), ``case`` (index of the case
    it comes from).
    """

    user: Ints
    item: Ids
    gain: Floats
    score: Floats
    row: Ints
    truth_row: Ints
    above: Ints
    tied: Ints
    before: Ints
    before_item: Ints
    before_text: Ints
    repeat: Ints
    copy: Ints

    users: Ids
    length: Ints
    given: Ints
    repeats: Ints
    truth_rows: Ints
    train: Ints
    catalogue: Ints
    threshold: Floats
    lowest: Floats
    highest: Floats
    at_half: Ints
    case: Ints

    def __len__(self) -> int:
        return len(self.users)

    @cached_property
    def has_ties(self) -> bool:
        """Tell whether a relevant item shares its score with another row of the user."""
        return bool((self.tied > 1).any())

    @cached_property
    def cases(self) -> int:
        """Number of cases joined in this placement."""
        return int(self.case.max(initial=-1)) + 1
