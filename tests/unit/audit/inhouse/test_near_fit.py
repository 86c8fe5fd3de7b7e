"""Find the nearest definition of a function that none explains, and where it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recsys_metric_audit.audit.inhouse.near_fit import near_fit
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Measured, Outcome
from recsys_metric_audit.reference import cases
from recsys_metric_audit.reference.cases import Kind, Probe, of_kind
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.evaluation.evaluate import Problem, evaluate
from recsys_metric_audit.reports.model.statement import NearDefinition

PROBES = of_kind(Kind("single_user"), Kind("duplicates"), Kind("relevance"))
PRECISION = parse("precision@k")


def has_repeats(probe: Probe) -> bool:
    items = probe.case.predictions.item.tolist()
    return len(set(items)) < len(items)


def near(
    change: Callable[[Probe, float], float], probes: Sequence[Probe] = PROBES, found_before: Sequence[str] = ()
) -> NearDefinition:
    """Return the near fit of a function that gives precision, but for a change."""
    made = evaluate(PRECISION, Problem.of([probe.case for probe in probes], [probe.k for probe in probes])).mean
    answers: dict[str, Outcome] = {
        probe.name: Measured(change(probe, float(value)), None, None, "float64", 0.0)
        for probe, value in zip(probes, made, strict=True)
    }
    before = [parse(each) for each in found_before]
    found = near_fit("precision", before, Observation("f", answers, {}), probes, lambda _: ())
    assert found is not None
    return found


def test_all_that_misfits_is_named() -> None:
    """Where an item is recommended twice the function gives 9, where a gain is below 0, 7; else it is precision."""

    def odd(probe: Probe, value: float) -> float:
        if has_repeats(probe):
            return 9.0
        return 7.0 if (probe.case.truth.gain < 0).any() else value

    found = near(odd)
    assert found.definition == "precision@k" and found.other_misfits == 0
    assert set(found.not_where) == {"repeated items", "gains below 0"}
    assert sum(found.not_where.values()) == found.of - found.fits
    assert "not where there are " in found.words() and "it returned" in found.words()


def test_a_number_turned_round_or_scaled_is_found_with_its_scope() -> None:
    for change, scope in (
        (lambda _, value: 1 - value, "1 − the definition"),
        (lambda _, value: 100 * value, "100 times the definition"),
        (lambda _, value: -value, "− the definition"),
    ):
        found = near(change)
        assert (found.definition, str(found.scope), found.share) == ("precision@k", scope, 1)


def test_what_fits_little_is_told_so() -> None:
    assert near(lambda probe, value: 0.37 * value + 0.11 * probe.k).words().startswith("nothing well, ")


def test_a_counterexample_shows_the_digits_that_differ() -> None:
    """Numbers that are printed alike in six digits are printed in full."""
    first = next(probe for probe in PROBES if not has_repeats(probe))
    told = near(lambda probe, value: value + (1e-8 if probe is first else 0)).example
    by_that, returned = told.rsplit(": ", 1)[1].split(" by that, it returned ")
    assert by_that != returned


def test_of_what_is_near_only_what_answers_speak_for_is_told() -> None:
    """Lists are never shorter than k among these inputs of one user: what they are divided by is not seen."""
    full = [each for each in of_kind(Kind("single_user")) if len(each.case.predictions.item) >= each.k]
    odd = {each.name for each in full[::3]}
    told = near(lambda probe, value: 9.0 if probe.name in odd else value, full, ["precision@k|denominator:shown"])
    assert (told.definition, told.fits) == ("precision@k", len(full) - len(odd))


def test_a_wrong_scale_does_not_win_because_most_answers_are_0() -> None:
    """Of 24 answers 21 are 0 and one is 100 times precision: in that scale both misfits have one feature, repeats."""
    known = evaluate(PRECISION, Problem.of([each.case for each in cases.PROBES], [each.k for each in cases.PROBES]))
    values = {each.name: float(value) for each, value in zip(cases.PROBES, known.mean, strict=True)}
    of_0 = [each for each in cases.PROBES if values[each.name] == 0 and not has_repeats(each)]
    repeats = [each for each in PROBES if values[each.name] > 0 and has_repeats(each)][:2]
    odd = next(each for each in PROBES if values[each.name] > 0 and not has_repeats(each))
    told = near(lambda probe, value: 100 * value if probe is odd else value, [*of_0, *repeats, odd])
    assert (told.definition, told.scope.whole, told.fits, told.of) == ("precision@k", True, 23, 24)


def test_what_is_far_fetched_is_not_told_where_nothing_fits_well() -> None:
    """A definition that search found gives a third of the answers; a documented formula gives fewer, and is told."""
    odd = parse("precision@k|truth:first|relevance:4")
    made = evaluate(odd, Problem.of([each.case for each in PROBES], [each.k for each in PROBES])).mean
    some = {each.name: float(value) for number, (each, value) in enumerate(zip(PROBES, made, strict=True))
            if number % 3 == 0}  # fmt: skip
    told = near(lambda probe, value: some.get(probe.name, 7.0 + value / 3), found_before=[odd.signature()])
    assert told.words().startswith("nothing well, ")
    assert told.definition in {"precision@k", "precision@k|denominator:shown", "precision@k|denominator:min"}


def test_a_metric_of_which_no_other_formula_is_documented_has_its_own_for_the_nearest() -> None:
    answers: dict[str, Outcome] = {each.name: Measured(7.5, None, None, "float64", 0.0) for each in PROBES}
    told = near_fit("bpref", [], Observation("f", answers, {}), PROBES, lambda _: ())
    assert told is not None and told.definition == "bpref" and told.fits == 0
