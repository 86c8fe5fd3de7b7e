"""Order and input axes."""

from __future__ import annotations

import pytest

from reference.space.input_axes import AXES, first_copy_leads


def test_names_are_unique() -> None:
    assert len({axis.name for axis in AXES}) == len(AXES)


@pytest.mark.parametrize(
    ("values", "leads"),
    [({"ties": "given"}, True), ({"ties": "reversed"}, False), ({"ties": "reversed", "order": "rows"}, True)],
)
def test_the_copy_that_counts_is_ranked_first_unless_ties_turn_it_round(values: dict[str, str], leads: bool) -> None:
    assert first_copy_leads({"counted_scores": "any", **values}) == leads
    assert not first_copy_leads({**values, "counted_scores": "positive"})
