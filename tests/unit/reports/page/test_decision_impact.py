"""The decision impact: which recommender each library's metric ranks first."""

from __future__ import annotations

from recsys_metric_audit.reports.page.decision_impact import decision
from tests.support.result_samples import finding, library, result


def test_the_decision_that_a_library_changes() -> None:
    made = decision(result())
    assert made is not None
    (ranking,) = made.rankings
    canonical, other = ranking.orders
    assert (canonical.order, canonical.canonical, canonical.given_by) == ("ease > itemknn > popular", True, ())
    assert (other.first, other.order, other.swapped) == ("itemknn", "itemknn > ease > popular", ("itemknn over ease",))
    assert other.tau == "0.33"  # 2 of 3 pairs agree, 1 is swapped
    assert other.taus == ("0.33", "1.00")
    assert [name for name, *_ in other.given_by] == ["Beta 2.3.1"]
    assert made.summary == (
        "Yes: of ease, itemknn and popular, ranked by 1 metric, the winner depends on the library for 1: MAP."
    )
    assert decision(result(recommenders=("ease",))) is None


def ranked(*values: dict[str, float]) -> str:
    """Return the summary over one library for each dict of values by recommender; the first is canonical."""
    entries = tuple(library(f"lib{number}") for number in range(len(values)))
    found = tuple(finding(name=f"lib{number}", by_recommender=each) for number, each in enumerate(values))
    made = decision(result(libraries=entries, findings=found, reference=()))
    assert made is not None
    return made.summary


def test_the_summary_says_whether_the_winner_the_order_or_nothing_changes() -> None:
    one = {"ease": 0.3, "itemknn": 0.2, "popular": 0.1}
    behind = {"ease": 0.3, "itemknn": 0.1, "popular": 0.2}
    assert ranked(one, one).startswith("Not here: of ease, itemknn and popular, ranked by 1 metric")
    assert ranked(one, behind).startswith("Not the winner: of ")
    assert ranked(one, {"ease": 0.1, "itemknn": 0.2, "popular": 0.1}).startswith("Yes: of ")
