"""Groups of libraries: which the tables show."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Result
from recsys_metric_audit.reports.wording.library_groups import (
    ALL_GROUPS,
    FEW_VERSIONS,
    LIBRARY_GROUPS,
    hidden_groups,
    only_versions,
    shown_title,
    shown_versions,
)
from tests.support.own_libraries import own_libraries
from tests.support.result_samples import finding, library, result


def run(**groups: str) -> Result:
    entries = tuple(library(name, group=group) for name, group in groups.items())
    return result(libraries=entries, findings=tuple(finding(name=name) for name in groups))


LARGE = run(own="", **{f"f{n}": "frameworks" for n in range(FEW_VERSIONS)}, m1="metrics", m2="metrics", s="search")


def names(made: Result, group: str | None) -> set[str]:
    return {library for library, _ in shown_versions(made, group)}


def test_a_large_run_shows_recommender_frameworks_and_libraries_without_a_group() -> None:
    assert names(LARGE, None) == {"own", *(f"f{n}" for n in range(FEW_VERSIONS))}
    assert hidden_groups(LARGE, None) == ("metric libraries (2)", "search and text (1)")


def test_a_small_run_or_one_without_frameworks_shows_everything() -> None:
    assert names(run(a="frameworks", b="metrics"), None) == {"a", "b"}
    others = run(**{f"m{n}": "metrics" for n in range(FEW_VERSIONS + 1)})
    assert len(names(others, None)) == FEW_VERSIONS + 1
    assert hidden_groups(others, None) == ()


def test_a_group_is_shown_alone_and_all_together() -> None:
    assert names(LARGE, "metrics") == {"m1", "m2"}
    assert names(LARGE, ALL_GROUPS) == {entry.library for entry in LARGE.libraries}
    assert hidden_groups(LARGE, "search") == (
        f"recommender frameworks ({FEW_VERSIONS})",
        "metric libraries (2)",
        "libraries without a group (1)",
    )


def test_the_title_is_that_of_a_single_group_of_several() -> None:
    assert shown_title(LARGE, "metrics") == "metric libraries"
    assert shown_title(LARGE, None) == "", "a library without a group stands among them"
    assert shown_title(LARGE, ALL_GROUPS) == shown_title(run(a="metrics"), None) == ""


def test_a_result_is_cut_to_the_versions_shown() -> None:
    cut = only_versions(LARGE, shown_versions(LARGE, "search"))
    assert [entry.library for entry in cut.libraries] == [each.library for each in cut.findings] == ["s"]


def test_every_library_stands_in_a_group() -> None:
    found = own_libraries().values()
    assert len(found) >= 25
    assert all(manifest.library_group in LIBRARY_GROUPS for manifest in found)
