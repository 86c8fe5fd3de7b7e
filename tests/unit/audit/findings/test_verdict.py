"""The decision of the verdict, given the definitions that fit; stability and claims."""

from __future__ import annotations

import pytest

from audit.findings.verdict import decide_verdict, is_unstable, matches_claim
from audit.libraries.function import Function
from audit.observations.observation import Observation, Tolerance
from audit.process.protocol import Crashed, Errored, NotOffered, Outcome, TimedOut
from reference.definitions.definition import parse
from tests.support.observed_definitions import mean

RECALL = Function(name="f", metric="recall")
TOLERANCE = Tolerance(1e-9, "float64")


def repeated(first: Outcome, *later: Outcome) -> Observation:
    """Return the answers of a function that was asked one probe several times."""
    return Observation("f", {"probe": first}, {}, {"probe": later})


@pytest.mark.parametrize(
    ("fitting", "verdict"),
    [
        ((), "unexplained"),
        (("recall@k",), "agrees"),
        (("recall@k|denominator:min",), "variant"),  # min(k, r): Mult-VAE (Liang et al. 2018) states it
        (("recall@k|denominator:min|users:all|undefined:1",), "undocumented"),
        (("recall@k", "recall@k|ties:item_desc"), "ambiguous"),
    ],
)
def test_the_verdict_follows_from_the_definitions_that_fit(fitting: tuple[str, ...], verdict: str) -> None:
    observation = repeated(mean(0.5), mean(0.5))
    assert decide_verdict(observation, TOLERANCE, [parse(each) for each in fitting], RECALL) == verdict


def test_an_unstable_function_has_that_verdict_whatever_fits() -> None:
    for fitting in ([], [parse("recall@k")], [parse("recall@k"), parse("precision@k")]):
        assert decide_verdict(repeated(mean(0.5), mean(0.25)), TOLERANCE, fitting, RECALL) == "unstable"


def test_the_canonical_definition_of_the_function_decides_what_agrees() -> None:
    overridden = RECALL.against(parse("recall@k|denominator:min"))
    fitting = [parse("recall@k|denominator:min")]
    assert decide_verdict(repeated(mean(0.5)), TOLERANCE, fitting, overridden) == "agrees"


@pytest.mark.parametrize(
    ("first", "second", "unstable"),
    [
        (mean(0.5), mean(0.5 + 1e-12), False),  # within the tolerance
        (mean(0.5), mean(0.6), True),
        (mean(0.5), Errored("ValueError", "", ""), True),
        (mean(0.5), Crashed(1, "", asked=True), True),
        (mean(0.5), TimedOut(1.0, asked=True), False),  # a busy machine may be to blame
        (mean(0.5), NotOffered("gone"), False),
        (Errored("ValueError", "", ""), Errored("KeyError", "", ""), False),  # an error both times
        (Errored("ValueError", "", ""), mean(0.5), True),
    ],
)
def test_a_repeated_question_with_another_answer_is_unstable(first: Outcome, second: Outcome, unstable: bool) -> None:
    assert is_unstable(repeated(first, second), TOLERANCE) is unstable


@pytest.mark.parametrize(
    ("claim", "computed", "matches"),
    [
        ("recall@k", "recall@k", True),
        ("recall@k", "recall@k|denominator:min", False),
        ("recall@k", "recall@k|users:all|undefined:0", True),  # the claim names no axis of averaging
        ("recall@k|users:all|undefined:0", "recall@k", False),
        ("precision@k", "recall@k", False),
        (None, "recall@k", None),
        ("recall@k", None, None),
    ],
)
def test_a_claim_matches_on_the_formula_and_on_the_axes_that_it_names(
    claim: str | None, computed: str | None, matches: bool | None
) -> None:
    assert matches_claim(claim, None if computed is None else parse(computed)) is matches
