"""Waterfalls by hand: bars, merged steps, steps without a finite value."""

from __future__ import annotations

import math

import pytest

from recsys_metric_audit.reports.model.result import Step
from recsys_metric_audit.reports.plots.waterfall import signed, waterfall
from tests.support.result_samples import finding, result


def test_a_waterfall_goes_from_the_canonical_value_to_the_fitted_one() -> None:
    found = next(each for each in result().findings if each.decomposition)
    made = waterfall(found)
    assert made is not None
    assert [(bar.name, bar.kind, bar.change) for bar in made.bars] == [
        ("canonical", "total", "0.039"), ("denominator", "down", "−0.007"), ("this definition", "total", "0.032"),
    ]  # fmt: skip
    first, step, last = made.bars
    assert first.x == last.x
    assert step.x == pytest.approx(last.x + last.width, abs=0.2), "the step hangs where the last value ends"
    assert step.x + step.width == pytest.approx(first.x + first.width, abs=0.2)


def test_axes_that_follow_each_other_without_a_change_share_a_row() -> None:
    values = (("", 0.5), ("gain", 0.5), ("ideal", 0.5), ("users", 0.4), ("ties", 0.4))
    steps = tuple(Step(axis=axis, signature=axis, value=value) for axis, value in values)
    made = waterfall(finding(decomposition=steps))
    assert made is not None
    assert [(bar.name, bar.change, bar.value) for bar in made.bars] == [
        ("canonical", "0.500", "0.5"), ("gain, ideal", "±0", "0.5"), ("users", "−0.100", "0.4"), ("ties", "±0", "0.4"),
        ("this definition", "0.400", "0.4"),
    ]  # fmt: skip


def test_a_waterfall_of_what_is_no_number_is_told_and_not_drawn() -> None:
    steps = (Step(axis="", signature="s", value=0.5), Step(axis="gain", signature="t", value=math.nan))
    made = waterfall(finding(decomposition=steps))
    assert made is not None and not made.drawn
    assert [bar.change for bar in made.bars] == ["0.500", "nan", "nan"]


@pytest.mark.parametrize(
    ("change", "shown"), [(0.0, "±0"), (0.25, "+0.250"), (-0.25, "−0.250"), (4e-5, "+4.0e-05"), (math.inf, "∞")]
)
def test_a_change_is_shown_with_its_sign(change: float, shown: str) -> None:
    assert signed(change) == shown


def test_a_finding_without_steps_has_no_waterfall() -> None:
    assert waterfall(finding()) is None


def test_the_caption_names_the_axis_that_moves_the_value_most() -> None:
    values = (("", 0.5), ("gain", 0.45), ("ideal", 0.25), ("users", 0.3))
    steps = tuple(Step(axis=axis, signature=axis, value=value) for axis, value in values)
    made = waterfall(finding(decomposition=steps))
    assert made is not None
    assert made.caption == "alpha.ndcg, from the canonical 0.500 to 0.300: ideal moves it most, by −0.200."
    still = waterfall(finding(decomposition=(steps[0], steps[0].model_copy(update={"axis": "ties"}))))
    assert still is not None and still.caption.endswith("no axis moves the value on this data.")
