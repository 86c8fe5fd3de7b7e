"""Which functions are asked which probes: those of metrics beyond accuracy have their own."""

from __future__ import annotations

from recsys_metric_audit.audit.libraries.function import Function
from recsys_metric_audit.audit.questions.contract_probes import is_asked
from recsys_metric_audit.audit.questions.initial import INITIAL_PROBES, REPEATED, plan
from recsys_metric_audit.audit.questions.item_cases import item_questions, reads_items
from recsys_metric_audit.reference.cases.item_probes import FAMILY_PROBES
from tests.support.observed_definitions import CASE

COVERAGE, RECALL = (
    Function(name="lib.coverage", metric="catalogue_coverage"),
    Function(name="lib.recall", metric="recall"),
)


def asked(functions: list[Function], name: str) -> list[str]:
    made = plan(functions, CASE, (3,))
    return [made.probe_of[ask.id] for ask in made.asks if name in ask.functions and ask.id in made.probe_of]


def test_each_function_is_asked_its_own_probes_and_the_first_ones_twice() -> None:
    of_items = [probe.name for probe in item_questions(COVERAGE.metric)]
    of_relevance = [probe.name for probe in INITIAL_PROBES]
    both = [COVERAGE, RECALL]
    assert asked(both, COVERAGE.name) == of_items + of_items[:REPEATED]
    assert asked(both, RECALL.name) == of_relevance + of_relevance[:REPEATED]


def test_a_function_of_relevance_is_asked_the_same_beside_one_of_items() -> None:
    assert asked([RECALL], RECALL.name) == asked([COVERAGE, RECALL], RECALL.name)
    assert plan([RECALL], CASE, (3,)).cases.keys() < plan([COVERAGE, RECALL], CASE, (3,)).cases.keys()


def test_a_probe_is_not_asked_across_kinds_even_where_it_is_kept() -> None:
    assert reads_items(COVERAGE) and not reads_items(RECALL)
    assert not is_asked(COVERAGE, INITIAL_PROBES[0], [INITIAL_PROBES[0].name])
    assert not is_asked(RECALL, item_questions()[0], [item_questions()[0].name])


def test_probes_of_one_metric_are_asked_of_its_functions_alone() -> None:
    own = {probe.name for probe in FAMILY_PROBES["new_share"]}
    new_share = Function(name="lib.novelty", metric="new_share")
    assert own <= set(asked([new_share, COVERAGE], new_share.name))
    assert not own & set(asked([new_share, COVERAGE], COVERAGE.name))


def test_a_contract_rules_probes_of_order_out() -> None:
    ranks = Function.model_validate({"name": "lib.gini", "metric": "gini", "takes": {"input": "ranks"}})
    roles = {probe.kind.role for probe in item_questions() if is_asked(ranks, probe)}
    assert roles == {"multi_user", "duplicates"}
