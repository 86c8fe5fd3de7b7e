"""The words of a contradiction: axes that differ, and a probe as a person reads it."""

from __future__ import annotations

from dataclasses import replace

from audit.inhouse.contradiction import describe_probe, differing_axes
from reference.cases import PROBES
from reference.definitions.definition import parse
from tests.support.generated_inputs import make


def test_differing_axes_have_both_values() -> None:
    assert differing_axes(parse("ndcg@k|ideal:all"), parse("ndcg@k|gain:exp2")) == [
        "gain: binary expected, exp2 found",
        "ideal: all expected, k found",
    ]
    assert differing_axes(parse("ndcg@k"), parse("recall@k")) == ["the metric: ndcg expected, recall found"]
    assert differing_axes(parse("ndcg@k"), parse("ndcg@k")) == []


def test_one_users_probe_is_its_list_and_truth() -> None:
    case = make([(1, 10, 2.0), (1, 11, 1.0)], [(1, 11, 4.5), (1, 12, 1.0)])
    assert describe_probe(replace(PROBES[0], case=case)) == "recommended [10, 11], relevant {11: 4.5, 12: 1}"
