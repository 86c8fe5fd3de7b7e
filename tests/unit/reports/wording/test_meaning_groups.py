"""Groups of findings with one meaning."""

from __future__ import annotations

from recsys_metric_audit.reports.wording.meaning_groups import hue, meaning_groups
from recsys_metric_audit.reports.wording.variant_letters import assign_letters
from tests.support.result_samples import result


def test_each_finding_is_in_one_group_and_groups_stand_in_their_order() -> None:
    made = meaning_groups(result(), assign_letters(result()))
    assert sum(len(group.findings) for group in made) == len(result().findings)
    precision = [(group.place, len(group.findings)) for group in made if group.metric == "average_precision"]
    # alpha agrees; beta is a, delta is b; gamma fits nothing
    assert precision == [((0, ""), 1), ((1, "   a"), 1), ((1, "   b"), 1), ((2, "unexplained"), 1)]
    assert len({group.anchor for group in made}) == len(made)


def test_colours_return_after_eight_letters() -> None:
    assert [hue("a"), hue("h"), hue("i"), hue("aa")] == ["h0", "h7", "h0", "h2"]  # aa is the 27th: 26 % 8 = 2
    assert [hue(""), hue("~")] == ["", ""]
