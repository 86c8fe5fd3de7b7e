"""Drift between two expectations: its kind, and the axes and experiments that moved."""

from __future__ import annotations

from reports.pins.drift import Move, find_drift, moved_axes
from reports.pins.expectation import FunctionExpectation, VersionExpectation


def test_sets_of_definitions_are_compared_as_sets() -> None:
    """Fewer that fit: the file has to follow. None that fitted before: the meaning changed. Another order: nothing."""
    old = expectation("ambiguous", "ndcg@k|gain:exp2", "ndcg@k|gain:linear")
    assert list(drift(old, expectation("ambiguous", "ndcg@k|gain:linear", "ndcg@k|gain:exp2"))) == []
    assert drift(old, expectation("variant", "ndcg@k|gain:exp2")) == ["stale"]
    assert drift(old, expectation("variant", "ndcg@k|gain:square_minus_1")) == ["changed"]
    assert drift(old, expectation("agrees", "ndcg@k")) == ["stale"]
    assert drift(old, expectation("agrees", "ndcg@k"), to="2.0") == ["changed"]
    assert drift(old, expectation("variant", "ndcg@k|gain:exp2"), to="2.0") == ["unclear"]
    assert drift(old, expectation("unexplained")) == ["changed"]
    moved = moved_axes(("ndcg@k|gain:exp2", "ndcg@k|gain:exp2|ideal:all"), ("ndcg@k|ideal:all",))
    assert moved == (Move("gain", "exp2", "binary"),)
    assert moved_axes(("recall@k",), ("hit_rate@k",)) == (Move("metric", "recall", "hit_rate"),)


def expectation(verdict: str, *definitions: str) -> FunctionExpectation:
    return FunctionExpectation(metric="ndcg", status="measured", verdict=verdict, definitions=definitions)


def drift(old: FunctionExpectation, new: FunctionExpectation, to: str = "1.0") -> list[str]:
    before, after = (
        VersionExpectation(library="a", version=version, dataset="d", k=20, functions={"a.ndcg": one})
        for version, one in (("1.0", old), (to, new))
    )
    return [each.kind for each in find_drift(before, after)]


def version(number: str, **functions: FunctionExpectation) -> VersionExpectation:
    return VersionExpectation(library="a", version=number, dataset="d", k=20, functions=functions)


def test_functions_that_came_went_or_broke() -> None:
    measured = expectation("agrees", "ndcg@k")
    broken = FunctionExpectation(metric="ndcg", status="failed")
    absent = FunctionExpectation(metric="ndcg", status="not_offered")
    old = version("1.0", gone=measured, breaks=measured, mended=broken, never=absent, left=absent)
    new = version("2.0", breaks=broken, mended=measured, fresh=measured, never=absent)
    found = {each.function: (each.kind, each.old, each.new, each.against) for each in find_drift(old, new)}
    assert found == {
        "breaks": ("lost", "ndcg@k (agrees)", "failed", "1.0"),
        "mended": ("new", "failed", "ndcg@k (agrees)", "1.0"),
        "fresh": ("new", "not there", "ndcg@k (agrees)", "1.0"),
        "gone": ("lost", "ndcg@k (agrees)", "not there", "1.0"),
    }


def test_only_experiments_asked_on_both_sides_can_move() -> None:
    one = expectation("agrees", "ndcg@k").model_copy(update={"behaviours": {"empty": "zero", "nan": "raises"}})
    two = expectation("agrees", "ndcg@k").model_copy(update={"behaviours": {"empty": "one", "ties": "shared"}})
    (found,) = find_drift(version("1.0", f=one), version("1.0", f=two))
    assert (found.kind, found.moves) == ("behaviour", (Move("empty", "zero", "one"),))


def test_an_axis_that_this_version_does_not_know_moves_nothing() -> None:
    assert moved_axes(("ndcg@k|mood:good",), ("ndcg@k",)) == ()
    assert moved_axes((), ("ndcg@k",)) == ()
