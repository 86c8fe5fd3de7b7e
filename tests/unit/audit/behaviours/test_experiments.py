"""Experiments: each judge names what answers mean; answers are written by hand, numbers beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from audit.behaviours import scenarios
from audit.behaviours.definition_values import bounds, canonical_stays
from audit.behaviours.experiment_asks import other_seed_asks, outcomes_by_scenario, scenario_asks
from audit.behaviours.experiments import EXPERIMENTS, METAMORPHIC_TESTS
from audit.behaviours.function_behaviours import behaviours
from audit.behaviours.function_under_test import FunctionUnderTest
from audit.behaviours.judges.changed_input import WITH_OTHERS
from audit.behaviours.judges.returned_values import judge_range
from audit.behaviours.responses import Responses, Returned, response_of
from audit.behaviours.scenarios import SCENARIOS, SEPARATE_CHANGES
from audit.behaviours.second_route import second_route
from audit.behaviours.transformations import original_user
from audit.libraries.function import Function
from audit.observations.observation import Tolerance
from audit.process.protocol import Answer, Crashed, Errored, Measured, NotOffered, Outcome, TimedOut, Unaskable
from reference.cases import PROBES
from reports.model.result import Behaviour
from reports.tables.behaviour_matrix import NAMES

TIGHT = Tolerance(1e-9, "float64")
NAN = math.nan
JUDGES = {trial.name: trial.judge for trial in METAMORPHIC_TESTS}
PROBE_NAMES = {probe.name for probe in PROBES}
Given = float | Outcome | Mapping[int, float]


def outcome(given: Given) -> Outcome:
    if isinstance(given, Mapping):
        users, values = np.array(list(given), dtype=np.int64), np.array(list(given.values()))
        return Measured(None, users, values, "float", 0.0)
    return Measured(given, None, None, "float", 0.0) if isinstance(given, int | float) else given


def view(answers: Mapping[str, Given | Sequence[Given]], *, has_k: bool = True, seeded: Given = 0.5) -> Responses:
    """Answers by probe or scenario; a list is one answer a repetition, a scenario at several k has one a cut-off."""
    probes = {name: outcome(each) for name, each in answers.items() if name in PROBE_NAMES}  # type: ignore[arg-type]
    made: dict[str, dict[int | None, tuple[Outcome, ...]]] = {}
    known = {scenario.name: scenario for scenario in (*SCENARIOS, *SEPARATE_CHANGES)}
    for name, each in answers.items():
        if name in probes:
            continue
        several = list(each) if isinstance(each, list | tuple) else [each]
        ks = known[name].ks
        outcomes = [outcome(one) for one in several]
        made[name] = (
            {k: (one,) for k, one in zip(ks, outcomes, strict=True)} if len(ks) > 1 else {ks[0]: tuple(outcomes)}
        )
    return Responses(probes, made, TIGHT, has_k, dict.fromkeys(scenarios.SEEDED, outcome(seeded)))


def judged(name: str, answers: Mapping[str, Given | Sequence[Given]], **more: object) -> Behaviour:
    return JUDGES[name](view(answers, **more))  # type: ignore[arg-type]


TIED = [scenario.name for scenario in scenarios.TIES]
ABOVE, BELOW = (scenario.name for scenario in scenarios.UNTIED)


@pytest.mark.parametrize(
    ("tied", "name"),
    [
        # upper row with lower, with higher id; lower row with lower, with higher id; 1 where the hit counts as above
        ((1, 1, 0, 0), "row_order"),
        ((0, 0, 1, 1), "reverse_row_order"),
        ((1, 0, 1, 0), "lower_item_first"),
        ((0, 1, 0, 1), "higher_item_first"),
        ((1, 1, 1, 1), "hits_first"),
        ((0, 0, 0, 0), "misses_first"),
        ((1, 0, 0, 0), "mixed"),
        ((0.5, 0.5, 0.5, 0.5), "shared"),
        ((0.5, 0.25, 0.5, 0.5), "mixed"),
    ],
)
def test_tie_rules(tied: tuple[float, ...], name: str) -> None:
    answers: dict[str, Given | Sequence[Given]] = dict(zip(TIED, tied, strict=True))
    assert judged("ties", {**answers, ABOVE: 1.0, BELOW: 0.0}).name == name


def test_the_tied_cases_are_what_they_are_called() -> None:
    for scenario in scenarios.TIES:
        rec, hits = scenario.case.predictions, set(scenario.case.truth.item.tolist())
        pair = [item for item, score in zip(rec.item.tolist(), rec.score.tolist(), strict=True) if score == 0.7]
        hit = next(item for item in pair if item in hits)
        assert ("upper" in scenario.name) == (pair[0] == hit)
        assert ("lower id" in scenario.name) == (hit == min(pair))


def test_ties_cannot_be_told_where_places_are_not() -> None:
    answers = dict.fromkeys([*TIED, ABOVE, BELOW], 0.25)
    assert judged("ties", answers).name == "not_askable"


def test_ties_cannot_be_told_where_scores_are_read() -> None:
    answers = {**dict.fromkeys(TIED, 1.0), ABOVE: 1.0, BELOW: 0.9, scenarios.ORDINARY: 1.2, "scores × 100": 80.0}
    assert judged("ties", answers).name == "not_askable"


ERROR = Errored("ValueError", "no\nmore", "")


@pytest.mark.parametrize(
    ("before", "after", "name", "words"),
    [
        (0.5, 0.5, "unchanged", ""),
        (0.5, 0.5 + 1e-12, "unchanged", ""),
        (NAN, NAN, "unchanged", ""),
        (0.5, 0.25, "changes", "0.5 becomes 0.25"),
        (0.5, NAN, "nan", "0.5 becomes nan"),
        (0.5, math.inf, "changes", "0.5 becomes inf"),
        (0.5, ERROR, "raises", "ValueError: no"),
        (0.5, Crashed(-9, ""), "crashes", "exit code -9"),
        (0.5, TimedOut(3), "times_out", "no answer within 3 s"),
        (0.5, Crashed(-9, "", asked=False), "not_asked", ""),
        (0.5, NotOffered("not here"), "not_askable", "not here"),
        (0.5, Unaskable("not here"), "not_askable", "not here"),
        (ERROR, 0.5, "not_askable", "refused even without the change: ValueError: no"),
        (ERROR, ERROR, "not_askable", "without the change, too: ValueError: no"),
        ({1: 0.5, 2: 1.0}, {1: 0.5, 2: 1.0}, "unchanged", ""),
        ({1: 0.5, 2: 1.0}, {1: 0.5}, "changes", "{1: 0.5, 2: 1} becomes 0.5"),
    ],
)
def test_invariance(before: Given, after: Given, name: str, words: str) -> None:
    said = judged("item_ids", {scenarios.ORDINARY: before, "items renamed, order kept": after})
    assert (said.name, said.text, said.slug) == (name, words, None)


def test_what_was_never_asked_is_said() -> None:
    assert judged("item_ids", {scenarios.ORDINARY: 0.5}).name == "not_asked"


def test_renamed_users_are_matched_by_their_old_ids() -> None:
    before, after = {1: 0.5, 2: 1.0}, {89: 0.5, 88: 1.0}
    assert judged("user_ids", {scenarios.ORDINARY: before, "users renamed": after}).name == "unchanged"
    mixed_up = {89: 1.0, 88: 0.5}
    assert judged("user_ids", {scenarios.ORDINARY: before, "users renamed": mixed_up}).name == "changes"


@pytest.mark.parametrize(
    ("mean", "name"),
    [
        # two others of mean 0.6: alone 0.6; with 0: 1.2/3; with 1: 2.2/3; with one half: 1.7/3
        (0.6, "skipped"),
        (0.4, "zero"),
        (2.2 / 3, "one"),
        (1.7 / 3, "half"),
        (NAN, "nan"),
        (0.55, "changes"),
        (ERROR, "raises"),
    ],
)
@pytest.mark.parametrize(("experiment", "crowd"), [("no_list", scenarios.NO_LIST), ("no_truth", scenarios.NO_TRUTH)])
def test_as_what_a_missing_user_counts(mean: Given, name: str, experiment: str, crowd: str) -> None:
    assert judged(experiment, {crowd: mean, "without that user": 0.6}).name == name


@pytest.mark.parametrize(
    ("values", "name"),
    [({2: 0.5, 3: 0.7}, "skipped"), ({1: 0.0, 2: 0.5, 3: 0.7}, "zero"), ({1: NAN, 2: 0.5, 3: 0.7}, "nan")],
)
def test_without_a_mean_the_users_own_value_says_it(values: Given, name: str) -> None:
    assert judged("no_list", {scenarios.NO_LIST: values, "without that user": {2: 0.5, 3: 0.7}}).name == name


@pytest.mark.parametrize(
    ("number", "name"),
    [(1.0, "one"), (0.0, "zero"), (NAN, "nan"), (math.inf, "infinite"), (0.25, "number"), (ERROR, "raises")],
)
def test_values_are_named(number: Given, name: str) -> None:
    assert judged("perfect", {scenarios.PERFECT: number}).name == name
    assert judged("empty_truth", {"no truth at all": number}).name == name


def test_nobody_with_a_value_is_said() -> None:
    assert judged("empty_truth", {"no truth at all": {}}).name == "skipped"


@pytest.mark.parametrize(
    ("number", "name"), [(1 / 3, "counted_once"), (2 / 3, "counted"), (0.25, "changes"), (ERROR, "raises")]
)
def test_a_hit_recommended_twice(number: Given, name: str) -> None:
    assert judged("duplicates", {scenarios.TWICE_BASE: 1 / 3, scenarios.TWICE: number}).name == name


@pytest.mark.parametrize(("number", "name"), [(0.0, "counted_once"), (1 / 3, "removed"), (0.2, "changes")])
def test_a_miss_recommended_twice(number: float, name: str) -> None:
    plain = {"a hit just below k, nothing twice": 0.0, "the copy taken out, the hit moved up": 1 / 3}
    assert judged("duplicates_above", {**plain, scenarios.TWICE_ABOVE: number}).name == name


@pytest.mark.parametrize(("after", "name"), [(0.5, "skipped"), (0.75, "counted"), (NAN, "nan"), (ERROR, "raises")])
def test_rows_of_the_truth_are_counted_or_not(after: Given, name: str) -> None:
    assert judged("zero_gain", {scenarios.ZERO_GAIN: after, "without the row of 0": 0.5}).name == name


def test_padding_and_train_items_are_like_one_or_the_other() -> None:
    lists = {scenarios.SHORT: 0.5, "filled up with misses": 0.2}
    assert judged("padding", {**lists, "padded with item 0": 0.2}).name == "counted"
    assert judged("padding", {**lists, "padded with item 0": 0.5}).name == "skipped"
    assert judged("padding", {**lists, "padded with item 0": 0.9}).name == "changes"
    one_way = {scenarios.SHORT: 0.2, "filled up with misses": 0.2, "padded with item 0": 0.2}
    assert judged("padding", one_way).name == "unchanged"


def test_calls_in_a_row_that_differ_show_their_spread() -> None:
    assert judged("repeated_call", {scenarios.ORDINARY: 0.5, "called three times": [0.5, 0.5, 0.5]}).name == "unchanged"
    said = judged("repeated_call", {scenarios.ORDINARY: 0.5, "called three times": [0.5, 0.75, 0.25]})
    assert said.name == "changes"
    assert "a spread of 0.5" in said.text


def test_other_cut_offs_before() -> None:
    assert judged("several_k", {"k alone": [0.5, 0.25], "after other k": [0.5, 0.25]}).name == "unchanged"
    said = judged("several_k", {"k alone": [0.5, 0.25], "after other k": [0.5, 0.5]})
    assert (said.name, said.text) == ("changes", "k = 5: 0.25 becomes 0.5")
    assert judged("several_k", {}, has_k=False).name == "not_askable"


def test_another_hash_seed() -> None:
    answers = dict.fromkeys(scenarios.SEEDED, 0.5)
    assert judged("hash_seed", answers).name == "unchanged"
    assert judged("hash_seed", answers, seeded=0.75).name == "changes"


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({1: 1, 2: 1, 3: 1, 4: 1, 5: 1}, "complete"),
        ({1: 1, 2: 1, 3: 1, 5: 1}, "skipped"),
        ({1: 1, 2: 1, 3: 1, 4: 1, 6: 1}, "unknown"),
        (0.5, "mean_only"),
        (Errored("BadAnswer", "5 users but 4 values", ""), "raises"),
    ],
)
def test_per_user_values(values: Given, name: str) -> None:
    assert judged("per_user", {scenarios.ORDINARY: values}).name == name


def test_a_user_with_two_values() -> None:
    twice = Measured(None, np.array([1, 1, 2, 3, 4, 5]), np.ones(6), "float", 0.0)
    assert judged("per_user", {scenarios.ORDINARY: twice}).name == "repeated"


@pytest.mark.parametrize(
    ("numbers", "name"),
    [((0.0, 1.0), "within"), ((0.5, NAN), "within"), ((0.5, 1.63), "outside"), ((-0.1, 0.5), "outside"),
     ((0.5, -math.inf), "infinite")],
)  # fmt: skip
def test_values_outside_the_range(numbers: tuple[float, ...], name: str) -> None:
    answers = {f"case {place}": Returned(number, None) for place, number in enumerate(numbers)}
    assert judge_range((0.0, 1.0), answers, 1e-6).name == name


@pytest.mark.slow
def test_ranges_are_those_of_the_formulas() -> None:
    assert bounds("ndcg") == bounds("precision") == bounds("auc") == (0.0, 1.0)
    assert bounds("rmse") == bounds("mae") == (0.0, math.inf)
    assert bounds("kendall_tau") == bounds("matthews_correlation") == (-1.0, 1.0)
    assert bounds("r_squared") == bounds("explained_variance") == (-math.inf, 1.0)


def subject(answers: Mapping[str, Given], name: str = "lib.recall", metric: str = "recall") -> FunctionUnderTest:
    made = view(answers)
    return FunctionUnderTest(Function(name=name, metric=metric), made.probes, made.scenarios, TIGHT)


@pytest.mark.slow
def test_a_failed_invariance_has_its_class_where_a_right_metric_would_stay() -> None:
    changed = {scenarios.ORDINARY: 0.5, "items renamed, order kept": 0.25, "scores + 10": 0.4}
    said = behaviours(subject(changed))
    assert (said["item_ids"].slug, said["score_shift"].slug) == ("item-ids", "score-scale")
    # an error of ratings reads the scores: its canonical value changes, too
    shifted = behaviours(subject(changed, "lib.rmse", "rmse"))["score_shift"]
    assert (shifted.name, shifted.slug) == ("changes", None)
    assert canonical_stays("recall", (scenarios.ORDINARY, "scores + 10"), has_k=True)
    assert not canonical_stays("rmse", (scenarios.ORDINARY, "scores + 10"), has_k=True)


def test_changes_that_move_nothing_together_are_not_asked_alone() -> None:
    quiet = {scenarios.ORDINARY: 0.5, scenarios.COMBINED_CHANGES: 0.5}
    said = behaviours(subject(quiet))
    assert not view(quiet).changed_by_combination
    for name in ("score_shift", "item_ids", "user_ids", "no_train", "catalogue"):
        assert (said[name].name, said[name].text) == ("unchanged", WITH_OTHERS)
    # what was asked alone speaks for itself
    alone = {**quiet, "scores + 10": 0.4}
    assert (behaviours(subject(alone))["score_shift"].name, view(alone).changed_by_combination) == ("changes", False)
    assert view({scenarios.ORDINARY: 0.5, scenarios.COMBINED_CHANGES: 0.4}).changed_by_combination


def test_users_that_were_renamed_together_with_other_changes_are_matched() -> None:
    before = {user: user / 10 for user in range(1, 6)}
    after = {original_user(user): value for user, value in before.items()}
    assert not view({scenarios.ORDINARY: before, scenarios.COMBINED_CHANGES: after}).changed_by_combination
    assert view({scenarios.ORDINARY: before, scenarios.COMBINED_CHANGES: before}).changed_by_combination


def test_a_second_route_is_found_by_its_answers() -> None:
    own, other = subject({scenarios.PERFECT: 1.0}, "lib.a"), subject({scenarios.PERFECT: 1.0}, "lib.b")
    off = subject({scenarios.PERFECT: 0.5}, "lib.c")
    assert second_route(own, [own]).name == "not_askable"
    assert second_route(own, [own, off]).name == "differs"
    assert second_route(own, [own, off, other]).text.startswith("lib.b")


def test_all_that_can_be_said_has_a_meaning() -> None:
    said = behaviours(subject({scenarios.ORDINARY: 0.5}))
    assert list(said) == [each.name for each in EXPERIMENTS]
    assert {each.name for each in said.values()} <= set(NAMES)


def test_asks_name_each_scene_once_a_function() -> None:
    functions = (Function(name="lib.recall", metric="recall"), Function(name="lib.auc", metric="auc", cutoff=False))
    made = scenario_asks(functions, 100)
    assert [ask.id for ask in made.asks] == list(range(100, 100 + len(made.asks)))
    calls = [(made.about[ask.id], function, k) for ask in made.asks for function in ask.functions for k in ask.ks]
    assert len(calls) == len(set(calls))
    assert {ask.case for ask in made.asks} == set(made.cases)
    for name in ("lib.recall", "lib.auc"):
        assert sum(len(ask.ks) for ask in made.asks if name in ask.functions) <= 45
    assert {made.about[ask.id] for ask in made.asks if "lib.auc" in ask.functions} == {
        scenario.name for scenario in SCENARIOS if len(scenario.ks) == 1
    }
    assert {other_seed_asks(functions).about[ask.id] for ask in other_seed_asks(functions).asks} == set(
        scenarios.SEEDED
    )


def test_answers_are_sorted_by_function_scene_and_cut_off() -> None:
    answers = [Answer(7, "f", 1, NotOffered("a")), Answer(7, "f", 5, NotOffered("b")),
               Answer(8, "f", 3, NotOffered("c")), Answer(8, "f", 3, NotOffered("d"), 1),
               Answer(9, "f", 3, NotOffered("of a probe"))]  # fmt: skip
    assert outcomes_by_scenario(answers, {7: "x", 8: "y"}) == {
        "f": {"x": {1: (NotOffered("a"),), 5: (NotOffered("b"),)}, "y": {3: (NotOffered("c"), NotOffered("d"))}}
    }


def test_probes_that_serve_experiments_exist() -> None:
    named = {
        scenarios.ORDINARY,
        scenarios.EVERYTHING,
        scenarios.NO_LIST,
        scenarios.NO_TRUTH,
        scenarios.TWICE,
        scenarios.TWICE_ABOVE,
        scenarios.TWICE_BASE,
    }
    named |= {
        scenarios.TRUTH_TWICE,
        scenarios.SHORT,
        scenarios.BELOW,
        scenarios.ZERO_GAIN,
        scenarios.NEGATIVE_GAIN,
        scenarios.PERFECT,
        *scenarios.SEEDED,
    }
    assert named <= PROBE_NAMES
    assert response_of(None) is None
