"""Places that record which sums a formula takes over them, so that a worked example shows what is computed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from recsys_metric_audit.reference.space.lists import Bools, Floats, Ints, Lists, Places


@dataclass(frozen=True, eq=False)
class RecordedSum:
    """A sum that a formula took: one of ``terms`` for each of ``places``."""

    places: RecordingPlaces
    terms: Floats


@dataclass(frozen=True, eq=False)
class RecordingPlaces(Places):
    """Places that append every sum over them to ``sums``.

    ``ideal`` tells the ideal list from the user's own; ``index`` is the number of each place in that list, kept when
    places are left out.
    """

    ideal: bool
    index: Ints
    sums: list[RecordedSum] = field(repr=False)

    @staticmethod
    def of(places: Places, *, ideal: bool, sums: list[RecordedSum]) -> RecordingPlaces:
        """Make places that record into ``sums``."""
        number = np.arange(len(places.list))
        return RecordingPlaces(places.list, places.rank, places.gain, places.lists, ideal, number, sums)

    def sum(self, values: Floats | Ints | float) -> Floats:
        """Sum ``values`` over each list, as :meth:`Places.sum`, and record it."""
        terms = np.array(np.broadcast_to(np.asarray(values, dtype=np.float64), self.list.shape))
        self.sums.append(RecordedSum(self, terms))
        return super().sum(values)

    def where(self, keep: Bools) -> RecordingPlaces:
        """Return the places for which ``keep`` holds; they record into the same list of sums."""
        columns = (self.list[keep], self.rank[keep], self.gain[keep], self.lists)
        return RecordingPlaces(*columns, self.ideal, self.index[keep], self.sums)


def recording(lists: Lists) -> tuple[Lists, list[RecordedSum]]:
    """Return lists that record the sums over them, and the list of sums that a formula then fills."""
    sums: list[RecordedSum] = []
    recorded = replace(
        lists,
        listed=RecordingPlaces.of(lists.listed, ideal=False, sums=sums),
        ideal=RecordingPlaces.of(lists.ideal, ideal=True, sums=sums),
    )
    return recorded, sums
