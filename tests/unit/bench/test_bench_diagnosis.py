"""The benchmark of seeded faults: what it seeds, how it judges, and a small run of it, out of process."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from bench.diagnosis.asking import FAKES, ORACLE, identify_faults
from bench.diagnosis.judging import Judged, confusions, judge, totals, unlike_its_base
from bench.diagnosis.random_comparison import differing_cases
from bench.diagnosis.seeded import HELD_OUT, OUTSIDE, Fault, faults
from recsys_metric_audit.audit.observations.fit import Fitting
from recsys_metric_audit.audit.observations.observation import Observation, Tolerance
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.input_axes import WITHOUT_RULE

pytestmark = pytest.mark.slow  # processes of their own, or whole audits


def test_every_kind_of_fault_is_seeded() -> None:
    made = faults()
    counts = Counter(fault.group for fault in made)
    assert counts["stacked"] >= 300 and counts["outside"] >= 40 and counts["documented"] > 25
    assert len(OUTSIDE) == len(set(OUTSIDE))
    assert {fault.number for fault in made if fault.group == "stacked"} == {"float32", "6 decimals", "4 decimals"}
    for fault in made:
        if fault.group == "stacked":
            assert len(fault.definition.differs_on) >= 2


def test_every_value_of_every_axis_is_seeded_alone() -> None:
    single = {(f.definition.metric, pair) for f in faults() if f.group == "single" for pair in f.definition.values}
    for name, metric in METRICS.items():
        for axis in metric.all_axes:
            for value in axis.names:
                moved = {**metric.canonical, axis.name: value}
                if value not in WITHOUT_RULE and metric.refusal(moved) is None:
                    assert (name, (axis.name, value)) in single


def test_the_fakes_share_no_code_with_what_is_measured() -> None:
    for file in (*FAKES.glob("*.py"), *ORACLE.glob("oracle*.py")):
        tree = ast.parse(file.read_text())
        typing_only = {
            node
            for branch in ast.walk(tree)
            if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
            for node in ast.walk(branch)
        }
        for node in ast.walk(tree):
            if node in typing_only or not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            assert not {name.split(".")[0] for name in names} & {"audit", "reference", "reports", "bench"}, file


def judged(seeded: str, *found: str, wrong: str = "") -> Judged:
    fault = Fault("outside" if wrong else "single", parse(seeded), wrong=wrong)
    fit = Fitting(tuple(parse(each) for each in found), 0.0, Tolerance(1e-9, "float64"), len(PROBES))
    return judge(fault, Observation("f", {}, {}), fit)


@pytest.mark.parametrize(
    ("seeded", "found", "outcome"),
    [
        ("recall@k", ("recall@k",), "exact"),
        ("ndcg@k|discount:ln", ("ndcg@k",), "equivalent"),
        ("recall@k", ("recall@k", "recall@k|denominator:min"), "ambiguous"),
        ("recall@k", ("recall@k|denominator:min",), "wrong"),
        ("recall@k", (), "missed"),
        ("precision@k", ("hit_rate@k|counts:precision",), "wrong"),
    ],
)
def test_a_fault_inside_is_judged(seeded: str, found: tuple[str, ...], outcome: str) -> None:
    assert judged(seeded, *found).outcome == outcome


@pytest.mark.parametrize(
    ("found", "outcome"), [((), "abstained"), (("recall@k",), "blamed"), (("recall@k|ties:other",), "abstained")]
)
def test_a_fault_outside_is_judged(found: tuple[str, ...], outcome: str) -> None:
    assert judged("recall@k", *found, wrong="median").outcome == outcome


@pytest.mark.parametrize(
    ("found", "refuted", "outcome"),
    [
        (("recall@k",), ("ties",), "withheld"),
        (("recall@k",), (), "published"),
        (("recall@k",), ("relevance",), "blamed"),
        (("recall@k",), ("ties", "relevance"), "blamed"),
        (("recall@k|ties:unspecified",), (), "withheld"),
        ((), (), "withheld"),
    ],
)
def test_a_fault_that_only_held_out_inputs_show_is_judged(
    found: tuple[str, ...], refuted: tuple[str, ...], outcome: str
) -> None:
    fault = Fault("held_out", parse("recall@k"), wrong="ties of 17 rows and more in no order", axis="ties")
    fit = Fitting(tuple(parse(each) for each in found), 0.0, Tolerance(1e-9, "float64"), len(PROBES))
    assert judge(fault, Observation("f", {}, {}), fit, refuted).outcome == outcome


def test_faults_that_only_held_out_inputs_show_move_an_axis_of_their_definition() -> None:
    assert len(HELD_OUT) == len(set(HELD_OUT)) >= 10
    seeded = [fault for fault in faults() if fault.group == "held_out"]
    assert all(not fault.axis or fault.axis in fault.definition.axes for fault in seeded)


def test_definitions_apart_are_told_from_equal_ones() -> None:
    for one, other in [("recall@k", "recall@k|users:both"), ("ndcg@k", "ndcg@k|gain:exp2"), ("auc", "auc|ties:best")]:
        assert differing_cases(parse(one), parse(other)) == (0 if one == "auc" else pytest.approx(200, abs=190))
    assert differing_cases(parse("ndcg@k"), parse("ndcg@k|discount:log10")) == 0


def test_axes_that_are_confused_are_counted() -> None:
    several = [judged("recall@k", "recall@k", "recall@k|users:both"), judged("recall@k", "recall@k|users:both")]
    other_words = judged("ndcg@k|discount:ln", "ndcg@k")
    assert [line.split()[:5] for line in confusions([*several, other_words])] == [
        ["2", "not", "told", "apart", "recall:"]
    ]
    assert "users" in confusions(several)[0]


def test_a_small_run_out_of_process() -> None:
    seeded = [
        Fault("documented", parse("ndcg@k|gain:exp2")),
        Fault("single", parse("recall@k|users:both")),
        Fault("stacked", parse("precision@k|denominator:shown|users:all|undefined:0"), "float32"),
        Fault("single", parse("precision@k|duplicates:error")),
        Fault("outside", parse("recall@k"), wrong="k is at most 10"),
        Fault("outside", parse("ndcg@k"), wrong="median"),
        # Seen only where everybody is in one state, on a case of scores below 0 that the first round does not hold,
        # in some orders of ties only, on items whose names are of unequal length.
        Fault("single", parse("mae|no_hit:half")),
        Fault("single", parse("auc|scope:stacked|no_negatives:half")),
        Fault("outside", parse("auc"), wrong="scores of 0 and below are gone"),
        Fault("stacked", parse("f_score@k|precision:shown|no_hit:nan|ties:average"), "6 decimals"),
        Fault(
            "stacked", parse("rbp@k|pooling:weighted|weight:list_length|users:one_relevant|ties:text_asc"), "float32"
        ),
        # Too many definitions fit before the multi-user probes: those wait until cases of one user have left fewer.
        Fault("single", parse("hit_rate@k|cutoff:k_plus_1|users:all|undefined:half|duplicates:last"), "float32"),
        Fault("single", parse("recall@k|denominator:hits|no_list:nan|duplicates:error")),
    ]
    found = identify_faults(seeded)
    outcomes = [each.outcome for each in found]
    assert outcomes == ["exact"] * 4 + ["abstained"] * 2 + ["exact"] * 2 + ["abstained"] + ["exact"] * 4
    assert found[2].fit.tolerance.why == "float32"
    assert unlike_its_base(found) == [] and all(each.agreement > 0.5 for each in found)
    assert [line.split()[1:4] for line in totals(found)] == [
        ["1", "of", "1"], ["6", "of", "6"], ["3", "of", "3"], ["3", "of", "3"], ["0", "of", "0"],
    ]  # fmt: skip
