"""Definitions: signatures print and parse, errors say where, and what is written simpler is worth the same."""

from __future__ import annotations

import pytest
from hypothesis import given

from recsys_metric_audit.reference.definitions.definition import Definition, SignatureError, parse
from recsys_metric_audit.reference.metrics import METRICS
from recsys_metric_audit.reference.space.levels import LEVELS, level_of
from tests.support.generated_inputs import definitions, examples


@examples(200)
@given(definition=definitions())
def test_signatures_round_trip(definition: Definition) -> None:
    for long in (False, True):
        assert parse(definition.signature(long=long)) == definition


@pytest.mark.parametrize("name", METRICS)
def test_every_value_of_every_axis_prints_and_parses(name: str) -> None:
    metric = METRICS[name]
    for axis in metric.all_axes:
        for value in axis.names:
            values = {**metric.canonical, axis.name: value}
            if metric.refusal(values) is not None:
                continue
            definition = Definition.of(name, values)
            short = definition.signature()
            assert parse(short) == parse(definition.signature(long=True)) == definition
            assert (f"{axis.name}:{value}" in short.split("|")) == (value != metric.canonical[axis.name])


@pytest.mark.parametrize("name", METRICS)
def test_the_long_form_has_every_axis_level_by_level(name: str) -> None:
    _, *pairs = Definition.of(name).signature(long=True).split("|")
    axes = [axis.name for axis in METRICS[name].all_axes]
    expected = [axis for level in LEVELS for axis in axes if level_of(axis) == level]
    assert [pair.split(":")[0] for pair in pairs] == expected


def test_formula_who_counts_and_input_handling_stand_in_this_order() -> None:
    # As axes, the cut-off stands behind ties, and ties behind users.
    definition = Definition.of("reciprocal_rank", {"ties": "best", "cutoff": "none", "users": "both", "ranks": "sum"})
    assert definition.signature() == "reciprocal_rank|ranks:sum|cutoff:none|users:both|ties:best"


def test_documented_example() -> None:
    definition = parse("ndcg@20|gain:exp2|ideal:all")
    assert (definition.metric, definition.k) == ("ndcg", 20)
    assert definition.differs_on == ("gain", "ideal")
    assert definition.classes == ("exponential-gain", "ideal-not-cut")
    assert str(definition) == "ndcg@20|gain:exp2|ideal:all"
    assert definition.signature(long=True).startswith(
        "ndcg@20|gain:exp2|miss_gain:0|discount:log2|ideal:all|ideal_discount:same|ideal_gain:same|over:user|pooling:user|"
    )


@pytest.mark.parametrize(
    ("signature", "printed"),
    [
        ("precision", "precision@k"),
        ("precision@k", "precision@k"),
        ("precision@10|cutoff:k_plus_1", "precision@10|cutoff:k_plus_1"),
        ("precision|cutoff:none", "precision|cutoff:none"),
        ("auc", "auc"),
        ("auc@5|list:limited", "auc@5|list:limited"),
        ("f_score@3|beta:0.25", "f_score@3|beta:0.25"),
        ("rbp@3|persistence:0.6", "rbp@3|persistence:0.6"),
    ],
)
def test_cut_offs_and_numbers(signature: str, printed: str) -> None:
    assert parse(signature).signature() == printed


@pytest.mark.parametrize(
    ("signature", "position", "words"),
    [
        ("", 0, ["no metric"]),
        ("NDCG@20", 0, ["'NDCG@20' is no metric"]),
        ("ndgc@20", 0, ["no metric 'ndgc'", "did you mean 'ndcg'"]),
        ("ndcg@20|gian:exp2", 8, ["no axis 'gian'", "did you mean 'gain'", "discount"]),
        ("ndcg@20|gain:exp", 13, ["axis gain", "no value 'exp'", "did you mean 'exp2'", "allowed: binary, linear"]),
        ("ndcg@20|gain", 8, ["'gain' is not axis:value"]),
        ("ndcg@20|", 8, ["is not axis:value"]),
        ("ndcg@20|gain:exp2|gain:exp2", 18, ["axis gain stands twice"]),
        ("precision@3|no_hit:0", 12, ["precision has no axis 'no_hit'"]),
        ("auc@20", 3, ["auc takes no @k"]),
        ("precision@0", 10, ["cut-off of 0"]),
        ("precision@3|cutoff:none", 9, ["precision takes no @k"]),
        ("f_score@3|beta:heavy", 15, ["axis beta", "or any number"]),
        ("f_score@3|beta:nan", 15, ["axis beta", "no value 'nan'"]),
        ("f_score@3|beta:inf", 15, ["axis beta", "no value 'inf'"]),
        ("rbp@3|persistence:1", 0, ["persistence"]),
        ("rbp@3|persistence:-0.5", 0, ["persistence"]),
        ("ndcg@3|miss_gain:-1|positions:negatives_only", 0, ["miss_gain"]),
        (
            "err@3|positions:negatives_only|relevance:every_row|candidates:test_only",
            0,
            ["positions:negatives_only counts irrelevant items"],
        ),
        ("reciprocal_rank@3|relevance:every_row|candidates:test_only", 0, ["all of that is relevant"]),
    ],
)
def test_errors_name_position_axis_allowed_and_nearest(signature: str, position: int, words: list[str]) -> None:
    with pytest.raises(SignatureError) as raised:
        parse(signature)
    assert raised.value.position == position
    assert f"at position {position + 1} of" in str(raised.value)
    for word in words:
        assert word in str(raised.value)


def test_an_axis_that_cannot_act_is_refused() -> None:
    with pytest.raises(KeyError, match="hit_rate has no axis positions"):
        Definition.of("hit_rate", {"positions": "negatives_only"})


def test_labels_alone_are_read_as_labels() -> None:
    """Only what the truth holds is ranked: without a rule of relevance nothing would be irrelevant."""
    read = parse("auc|scope:stacked|candidates:test_only")
    assert read.signature() == "auc|scope:stacked|relevance:positive|candidates:test_only"


def test_definitions_are_ordered_by_how_many_axes_moved_then_by_the_places_of_values() -> None:
    ranks = METRICS["reciprocal_rank"].axis("ranks").names
    assert ranks.index("normalised") < ranks.index("normalised_shown")
    signatures = (
        "reciprocal_rank@k",
        "reciprocal_rank@k|ranks:normalised",
        "reciprocal_rank@k|ranks:normalised_shown",
        "reciprocal_rank@k|relevance:0.5",
        "reciprocal_rank@k|ranks:normalised|relevance:positive",
    )
    ordered = sorted(map(parse, reversed(signatures)), key=lambda each: each.remoteness)
    # An axis that comes later in a signature counts less: 'relevance' is read after 'ranks'.
    assert [each.signature() for each in ordered] == [signatures[0], signatures[3], *signatures[1:3], signatures[4]]


def test_a_cut_off_that_begins_to_act_is_the_letter_k() -> None:
    whole = parse("recall|cutoff:none")
    assert whole.with_(cutoff="k") == parse("recall@k") and whole.with_(k=5, cutoff="k") == parse("recall@5")
    assert whole.with_(users="both").k is None and parse("recall@5").with_(users="both").k == 5
