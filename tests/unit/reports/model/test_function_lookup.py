"""Looking up a function in a result."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import find_function, function_names
from tests.support.result_samples import finding, library, result

TWO = result(
    k=(5, 20),
    libraries=(library(), library(version="2.0")),
    findings=(
        finding(k=5, function="alpha.rank:ndcg"),
        finding(k=20, function="alpha.rank:ndcg"),
        finding(version="2.0", function="alpha.rank:ndcg"),
        finding(version="2.0", function="alpha.rank:my_ndcg"),
    ),
)


def test_a_function_is_found_by_its_path_or_the_end_of_it() -> None:
    for asked in ("ndcg", "rank:ndcg", "alpha.rank:ndcg"):
        assert [(each.version, each.k) for each in find_function(TWO, "alpha", None, asked)] == [
            ("1.0", 5),
            ("2.0", 20),
        ]
    assert [each.function for each in find_function(TWO, "alpha", "2.0", "my_ndcg")] == ["alpha.rank:my_ndcg"]
    assert find_function(TWO, "alpha", None, "rank") == ()
    assert find_function(TWO, "beta", None, "ndcg") == ()


def test_an_everyday_name_of_a_metric_is_the_function_listed_first_for_it() -> None:
    for asked in ("NDCG@10", "normalized_discounted_cumulative_gain", "nDCG"):
        found = find_function(TWO, "alpha", None, asked)
        assert [(each.version, each.k, each.function) for each in found] == [
            ("1.0", 5, "alpha.rank:ndcg"),
            ("2.0", 20, "alpha.rank:ndcg"),
        ]
    assert find_function(TWO, "alpha", None, "map") == ()


def test_names_come_once_in_the_order_of_the_run() -> None:
    assert function_names(TWO, "alpha", None) == ("alpha.rank:ndcg", "alpha.rank:my_ndcg")
    assert function_names(TWO, "alpha", "1.0") == ("alpha.rank:ndcg",)
