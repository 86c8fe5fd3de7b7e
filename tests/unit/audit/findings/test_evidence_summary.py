"""The evidence that a finding reports, for a definition that fits and for none."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from recsys_metric_audit.audit.findings.finding import input_words, summarise_evidence, unpredicted_case
from recsys_metric_audit.audit.identification.data_recheck import DataRecheck
from recsys_metric_audit.audit.observations.fit import Ambiguity, Contradicted, Fit, Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.audit.process.protocol import Errored, Measured, Outcome
from recsys_metric_audit.reference.cases import KINDS, PROBES, Kind, Probe, Role, User, Variant
from recsys_metric_audit.reference.cases.probe import case_from_users
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.result import Nearest

# The evidence that a finding reports, for a definition that fits and for none.


RECALL = parse("recall@k")
WIDTH = Tolerance(1e-9, "float64")


def test_what_fits_has_the_larger_deviation_of_probes_and_data() -> None:
    fit = Fitting((RECALL,), 1e-16, WIDTH, 12, ambiguity=Ambiguity("a short list", inseparable=True))
    seen = summarise_evidence(fit, DataRecheck((RECALL,), 2e-16, 0.25, "the mean"), RECALL)
    assert (seen.cases, seen.tolerance, seen.largest_deviation, seen.fitted_value) == (12, 1e-9, 2e-16, 0.25)
    assert (seen.nearest, seen.separating_case) == (None, "a short list")
    assert (seen.range["returned as"], seen.range["data"]) == ("float64", "the mean")
    assert "stage" not in seen.range


def test_what_fits_the_probes_and_not_the_data_is_the_nearest_with_its_gap_on_the_data() -> None:
    seen = summarise_evidence(Fitting((RECALL,), 0.0, WIDTH, 12), DataRecheck((), 0.2, None, "the mean"), RECALL)
    assert seen.nearest == Nearest(signature="recall@k", deviation=0.2)
    assert seen.range["stage"] == "fits every probe, but not the data"
    assert seen.unpredicted == "recall@k predicts every case, but not the data: off by 0.2."
    assert seen.largest_deviation is None


def test_what_fits_no_probe_names_the_stage_and_the_smallest_probe_that_shows_it() -> None:
    fit = Contradicted("single_user", WIDTH, 12, RECALL, 0.5, PROBES[0])
    seen = summarise_evidence(fit, DataRecheck((), 0.0, None, "the mean"), RECALL, unpredicted="ties")
    assert (seen.nearest, seen.unpredicted) == (Nearest(signature="recall@k", deviation=0.5), "ties")
    assert seen.range["stage"] == (
        f"lists of one user without ties and repeats; smallest probe that shows it: {PROBES[0].name}"
    )


def test_the_range_is_that_of_the_probes() -> None:
    seen = summarise_evidence(Fitting((RECALL,), 0.0, WIDTH, 12), DataRecheck((RECALL,), 0.0, None, ""), RECALL)
    assert seen.range["k"] == f"1 to {max(probe.k for probe in PROBES)}"
    assert seen.range["list length"].startswith("0 to ")


# Tells the case that no definition predicts: what it is, what the function gives, what the nearest does.


HALF = User((2.0, 0.0), (4.0,))
"""One of two relevant items is in the list: recall 1/2."""


def probe(*users: User) -> Probe:
    return Probe(
        Kind("single_user") if len(users) == 1 else Kind("multi_user"),
        case_from_users("a case", users, why="one hit of two"),
        2,
        users,
    )


def said(asked: Probe, outcome: Outcome, fit: Fit | None = None) -> str:
    failed = Contradicted("single_user", WIDTH, 12, RECALL, 0.25, asked)
    return unpredicted_case(fit or failed, Observation("f", {"a case": outcome}, {}))


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Measured(0.25, None, None, "float64", 0.0), "gives 0.25"),
        (Measured(float("nan"), None, None, "float64", 0.0), "gives NaN"),
        (Measured(0.50000001, None, None, "float64", 0.0), "gives 0.50000001"),
        (Errored("ValueError", "one class only", ""), "raises ValueError (one class only)"),
    ],
)
def test_both_values_and_the_kind_of_input_are_told(outcome: Outcome, words: str) -> None:
    assert said(probe(HALF), outcome) == (
        "No definition predicts what it gives on lists of one user without ties and repeats, such as one hit of two,"
        f" k = 2: the function {words}, the nearest definition 0.5."
    )


def test_of_several_users_the_values_of_each_are_told() -> None:
    values = Measured(None, np.array([1, 2]), np.array([0.25, 1.0]), "float64", 0.0)
    told = said(probe(HALF, User((2.0,))), values)
    assert "on several users, some without relevant items, a list or a hit, such as" in told
    assert told.endswith(
        ": the function gives 0.25, 1 for its users, the nearest definition 0.75 (0.5, 1 for its users)."
    )


def test_nothing_is_told_of_what_fits_and_of_what_came_near_nothing() -> None:
    answer = Measured(0.25, None, None, "float64", 0.0)
    assert said(probe(HALF), answer, Fitting((RECALL,), 0.0, WIDTH, 12)) == ""
    assert said(probe(HALF), answer, Contradicted("formula", WIDTH, 12)) == ""


def test_where_the_search_met_no_counterexample_all_that_was_asked_is_held_against_the_nearest() -> None:
    asked = min((each for each in PROBES if each.kind == Kind("single_user")), key=lambda each: each.size)
    wrong = Observation("f", {asked.name: Measured(0.123, None, None, "float64", 0.0)}, {})
    met_none = Contradicted("formula", WIDTH, 12, RECALL, 0.0)
    assert f"{asked.case.why}, k = {asked.k}: the function gives 0.123, the" in unpredicted_case(met_none, wrong)


@pytest.mark.parametrize(
    "kind", [*KINDS, *map(Kind, get_args(Role)), *(Kind("single_user", each) for each in get_args(Variant))]
)
def test_every_kind_of_input_has_words(kind: Kind) -> None:
    assert input_words(kind)
