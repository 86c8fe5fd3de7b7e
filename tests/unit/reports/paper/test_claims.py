"""The paper re-audited: claims as data, judged by findings, causes changed alone, the paper's numbers by themselves."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from audit.cli import app
from reference.definitions.definition import parse
from reports.model.result import Evidence, Finding, Library, Nearest, Result
from reports.model.write_result import write_result
from reports.paper import published
from reports.paper.claims import claims
from reports.paper.judging import Answer, Verdict, judge
from reports.paper.reaudit import reaudit
from reports.paper.sample_data import value
from tests.support import result_samples as samples


def found(name: str, version: str, computes: str, **changes: Any) -> Finding:
    """A finding that was identified as ``computes``."""
    definition = parse(computes)
    given: dict[str, Any] = {
        "library": name, "version": version, "function": f"{name}.{definition.metric}", "metric": definition.metric,
        "k": definition.k, "status": "measured", "verdict": "variant", "value": 0.5, "signature": computes,
        "definition": definition.axes,
    }  # fmt: skip
    return Finding(**given | changes)


def audited(*findings: Finding, **entry: Any) -> Result:
    versions = dict.fromkeys((each.library, each.version) for each in findings)
    libraries = tuple(samples.library(name, version, **entry) for name, version in versions)
    return samples.result(libraries=libraries, findings=findings, reference=())


def answer(number: int, *findings: Finding) -> Answer:
    return next(each for each in judge(audited(*findings)) if each.claim.number == number)


def subject(number: int, *findings: Finding) -> Any:
    name = findings[0].library
    return next(each for each in answer(number, *findings).subjects if each.about.library == name)


def test_the_claims_are_those_of_the_paper_and_name_libraries_of_its_tables() -> None:
    data = claims()
    assert [claim.number for claim in data.claim] == list(range(1, 22))
    assert {about.library for claim in data.claim for about in claim.about} <= set(published.TITLES)
    for claim in data.claim:
        assert claim.about or claim.arithmetic
        for about in claim.about:
            assert about.version == published.VERSIONS.get(about.library, about.version)


def test_every_variant_that_the_paper_claims_is_a_definition_and_every_value_fits_its_print() -> None:
    for each in published.published():
        if each.variant:
            assert parse(each.variant).metric == each.metric
        if each.full is not None:
            digits = len(each.printed.rstrip("*").split(".")[1])
            assert f"{each.full:.{digits}f}" == each.printed.rstrip("*")


def test_a_finding_that_computes_what_is_claimed_reproduces_it() -> None:
    made = answer(2, found("dl_rs_evaluation", "14e765bc", "hit_rate@20|counts:hits|ties:item_asc"))
    assert made.verdict is Verdict.reproduced
    assert made.subjects[0].grounds[0].ways == ("full", "short")
    assert made.subjects[0].cause is not None and made.subjects[0].cause.stands


def test_a_finding_that_computes_something_else_contradicts_it_and_says_what() -> None:
    made = answer(2, found("dl_rs_evaluation", "14e765bc", "hit_rate@20"))
    assert made.verdict is Verdict.contradicted
    assert made.subjects[0].grounds[0].differs == ("counts:any",)


def test_the_base_of_the_logarithm_is_not_why_dl_rs_evaluation_differs() -> None:
    """ln and log2 cancel where the ideal has the same: seeds of the answer are the definition found, and 0.0798 /
    0.0898 = 0.8884, which is none of 1, 1/ln 2 = 1.4427 and ln 2 = 0.6931."""
    made = answer(12, found("dl_rs_evaluation", "14e765bc", "ndcg@20|gain:exp2|ideal:all", function="metrics.ndcg"))
    assert made.verdict is Verdict.contradicted
    cause = made.subjects[0].cause
    assert cause is not None and cause.stands is False
    assert [(trial.change, trial.matters) for trial in cause.named] == [("discount from log2 to ln", False)]
    assert [(trial.change, trial.suffices) for trial in cause.found] == [("ideal from all to k", True)]
    assert not made.sums[0].holds and "0.8884" in made.sums[0].numbers


def test_the_discounts_base_shows_where_the_ideal_does_not_cancel_it() -> None:
    plain = value(parse("ndcg@k|ideal:none"), "full")
    assert math.isclose(value(parse("ndcg@k|ideal:none|discount:ln"), "full"), plain / np.log(2), rel_tol=1e-12)


@pytest.mark.parametrize(
    ("signature", "verdict", "others"),
    [
        ("average_precision@20|denominator:k", Verdict.reproduced, ()),
        ("average_precision@20|denominator:shown", Verdict.way, ("short",)),
        ("average_precision@20|denominator:hits", Verdict.contradicted, ("full", "short")),
    ],
)
def test_what_equals_the_claim_on_full_lists_only_is_true_of_the_papers_call(
    signature: str, verdict: Verdict, others: tuple[str, ...]
) -> None:
    made = subject(4, found("daisyrec", "1.1.2", signature))
    assert (made.verdict, made.grounds[0].others) == (verdict, others)


def test_a_gain_that_depends_on_the_threshold_is_the_papers_at_one_threshold_only() -> None:
    made = subject(11, found("elliot", "0.3.1", "ndcg@20|gain:exp2_threshold", function="elliot.metrics.nDCG"))
    assert made.verdict is Verdict.way
    assert made.grounds[0].others == ("threshold",)


def test_other_functions_of_the_same_metric_are_not_meant() -> None:
    made = subject(11, found("elliot", "0.3.1", "ndcg@20", function="elliot.metrics.nDCGRendle2020"))
    assert made.verdict is Verdict.open and not made.grounds


def test_versions_that_part_are_named() -> None:
    made = subject(
        5,
        found("rs_metrics", "0.5.0", "average_precision@20|denominator:r"),
        found("rs_metrics", "0.3.0", "average_precision@20|denominator:shown"),
    )
    assert made.verdict is Verdict.versions


def test_another_version_alone_can_bear_a_claim_out_but_not_refute_it() -> None:
    same = subject(5, found("rs_metrics", "0.6.0", "average_precision@20|denominator:r"))
    assert same.verdict is Verdict.reproduced and "0.5.0, the paper's version, is not in this audit" in same.why
    other = subject(5, found("rs_metrics", "0.3.0", "average_precision@20|denominator:shown"))
    assert other.verdict is Verdict.open and "compute something else" in other.why


def test_functions_of_one_version_that_part_make_it_a_matter_of_the_call() -> None:
    made = subject(
        3,
        found("daisyrec", "1.1.2", "reciprocal_rank@20|ranks:sum"),
        found("daisyrec", "1.1.2", "reciprocal_rank@20", function="daisyrec.pipeline"),
    )
    assert made.verdict is Verdict.way


@pytest.mark.parametrize(
    ("equivalent", "verdict"),
    [
        (("average_precision@20|denominator:min_shown",), Verdict.reproduced),
        (("average_precision@20|ties:item_asc",), Verdict.reproduced),
        (("average_precision@20|denominator:r",), Verdict.open),
        ((), Verdict.open),
    ],
)
def test_an_ambiguous_finding_is_judged_by_all_that_fits(equivalent: tuple[str, ...], verdict: Verdict) -> None:
    one = found("recbole", "0.2.1", "average_precision@20", verdict="ambiguous", equivalent=equivalent)
    assert subject(6, one).verdict is verdict


def test_where_what_fits_parts_beyond_the_papers_call_it_is_said_to_be_unknown() -> None:
    more = ("average_precision@20|denominator:min_shown",)
    one = found("recbole", "0.2.1", "average_precision@20", verdict="ambiguous", equivalent=more)
    ground = subject(6, one).grounds[0]
    assert (ground.ways, ground.others, ground.unsure) == (("full",), (), ("short",))


def test_an_unexplained_finding_says_nothing_and_names_the_nearest() -> None:
    near = Nearest(signature="average_precision@k|denominator:k|indicator:dropped", deviation=0.01)
    lost = {"verdict": "unexplained", "signature": None, "evidence": Evidence(nearest=near), "function": "elliot.MAP"}
    made = subject(7, found("elliot", "0.3.1", "average_precision@20", **lost))
    assert made.verdict is Verdict.open
    assert "off by up to 0.01" in made.grounds[0].why


def test_the_papers_own_number_tells_a_call_of_its_own_from_an_error() -> None:
    """DaisyRec's published NDCG is, to the last digits, that of the binary NDCG of rs_metrics."""
    made = answer(9, found("daisyrec", "1.1.2", "ndcg@20|ideal:retrieved"), found("rs_metrics", "0.5.0", "ndcg@20"))
    assert next(each for each in made.subjects if each.about.library == "daisyrec").verdict is Verdict.way
    alone = answer(9, found("daisyrec", "1.1.2", "ndcg@20|ideal:retrieved"))
    assert alone.verdict is Verdict.contradicted


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"status": "failed", "reason": "NameError", "verdict": None, "signature": None, "value": None}, "reproduced"),
        ({"value": math.nan}, "reproduced"),
        ({"value": 0.7}, "contradicted"),
        ({"value": None}, "not verifiable"),
    ],
)
def test_a_claimed_failure_is_one_that_happens(changes: dict[str, Any], verdict: str) -> None:
    assert subject(18, found("daisyrec", "1.1.2", "auc", **changes)).verdict == verdict


def test_users_without_a_class_are_what_the_claims_on_averaging_are_judged_by() -> None:
    skips = found("elliot", "0.3.1", "auc|users:both", function="elliot.GAUC")
    zero = found("elliot", "0.3.1", "auc|users:predictions|undefined:0|no_negatives:0", function="elliot.GAUC")
    assert subject(15, skips).grounds[0].others == ("undefined",)
    assert subject(15, zero).verdict is Verdict.reproduced


def test_arithmetic_alone_decides_where_it_can() -> None:
    made = judge(samples.result(libraries=(), findings=(), reference=()))
    by_number = {each.claim.number: each.verdict for each in made}
    assert by_number[2] is Verdict.reproduced, "20 × Precision"
    assert by_number[12] is Verdict.contradicted, "no base of a logarithm makes 0.8884"
    others = {number: verdict for number, verdict in by_number.items() if number not in (2, 12)}
    assert set(others.values()) == {Verdict.open}


def test_recorded_rows_count_and_are_said_to_be_recorded() -> None:
    one = found("dl_rs_evaluation", "14e765bc", "hit_rate@20|counts:hits", live=False, witness=samples.witness())
    told = reaudit(audited(one, live=False)).told[1]
    assert told.verdict == "reproduced" and "recorded, not run here" in told.words
    assert told.about[0].evidence[0].recorded
    assert "Three relevant items" in told.about[0].evidence[0].witness


def test_a_version_that_could_not_run_gives_its_reason() -> None:
    entry = Library(
        library="recbole", title="RecBole", version="0.2.1", python="3.7", source="package", status="unavailable",
        reason="Python 3.7 was not found", live=True,
    )  # fmt: skip
    made = judge(samples.result(libraries=(entry,), findings=(), reference=()))
    assert "Python 3.7 was not found" in made[5].subjects[0].why


def test_the_command_prints_every_claim_in_every_form(tmp_path: Path) -> None:
    write_result(audited(found("dl_rs_evaluation", "14e765bc", "hit_rate@20|counts:hits", value=math.inf)), tmp_path)
    outputs = {}
    for form in ("text", "md", "json"):
        done = CliRunner().invoke(app, ["paper", "--from", str(tmp_path), "--format", form])
        assert done.exit_code == 0, done.output
        outputs[form] = done.stdout
    document = json.loads(outputs["json"])
    assert [told["number"] for told in document["told"]] == list(range(1, 22))
    assert document["table3"] == [["Wrong ref.", "4/15"], ["Correct ref.", "3/15"], ["Partial desc.", "3/15"],
                                  ["Full desc.", "5/15"]]  # fmt: skip
    for told in document["told"]:
        assert f"## {told['number']}. " in outputs["md"]
        assert f"\n{told['number']}. " in outputs["text"]
    assert "| 4/15 | 3/15 | 3/15 | 5/15 |" in outputs["md"]


def test_the_command_refuses_a_folder_without_an_audit(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["paper", "--from", str(tmp_path / "nothing")])
    assert done.exit_code == 2


def test_the_page_tells_every_claim_and_the_papers_values() -> None:
    from reports.renderers.html import render_report

    shown = render_report(audited(found("rs_metrics", "0.5.0", "average_precision@20|denominator:r", value=0.0317)))
    assert shown.count('<details class="claim">') == 21
    assert "<small>[0.032 B]</small>" in shown
