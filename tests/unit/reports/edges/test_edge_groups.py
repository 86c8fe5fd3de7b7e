"""Functions of a library grouped by their behaviour at the edges."""

from __future__ import annotations

from recsys_metric_audit.reports.edges.edge_groups import EdgeBehaviour, edge_table, group_by_behaviour, letters_of
from recsys_metric_audit.reports.model.result import Behaviour, Experiment, Finding
from tests.support.result_samples import finding

EXPERIMENTS = (
    Experiment(name="no_list", title="a user without list", question="What then?"),
    Experiment(name="shuffled", title="rows shuffled", question="What then?"),
)
UNCHANGED = Behaviour(name="unchanged")


def acting(function: str, version: str = "1.0", **behaviours: Behaviour) -> Finding:
    return finding(function=function, version=version, behaviours=behaviours)


FOUND = [
    acting("f", no_list=Behaviour(name="zero"), shuffled=UNCHANGED),
    acting("g", no_list=Behaviour(name="raises", slug="raises"), shuffled=UNCHANGED),
    acting("h", no_list=Behaviour(name="zero"), shuffled=UNCHANGED),
]


def test_functions_that_behave_alike_in_every_experiment_share_a_letter() -> None:
    groups = group_by_behaviour([*FOUND, FOUND[0].model_copy(update={"k": 5})], EXPERIMENTS)
    assert {letter: [each.function for each in group] for letter, group in groups.items()} == {
        "A": ["f", "h"],
        "B": ["g"],
    }


def test_a_function_without_experiments_has_no_letter() -> None:
    assert group_by_behaviour([finding()], EXPERIMENTS) == {}


def test_the_table_has_the_most_common_behaviour_first_and_without_letters() -> None:
    three = [*FOUND, acting("i", no_list=Behaviour(name="raises", slug="raises"))]
    table = edge_table("alpha", group_by_behaviour(three, EXPERIMENTS), EXPERIMENTS)
    assert (table.letters, table.expected) == (3, ("rows shuffled",))
    ((title, (common, other)),) = table.rows
    assert title == "a user without list"
    assert common == EdgeBehaviour("raises", "", True)
    assert (other.letters, other.odd) == ("A", False)


def test_a_function_that_changed_between_versions_has_each_letter_with_its_versions() -> None:
    old = acting("f", "0.9", no_list=Behaviour(name="raises", slug="raises"), shuffled=UNCHANGED)
    groups = group_by_behaviour([*FOUND, old], EXPERIMENTS)
    assert letters_of("f", groups) == "A (1.0), B (0.9)"
    assert letters_of("h", groups) == "A"
    assert letters_of("unknown", groups) == ""
