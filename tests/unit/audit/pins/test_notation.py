"""Notations of other tools: every text is read back as it was written, and means what was accepted of its function."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.pins.notation import (
    Notation,
    notation_named,
    notations,
    read_written,
    write_formula,
    written_like,
)
from recsys_metric_audit.audit.pins.signature_page import PAGE, signature_page
from recsys_metric_audit.reference.definitions.definition import parse
from tests.support.command_line import audit

EVERY = list(notations().values())


@pytest.mark.parametrize("notation", EVERY, ids=lambda each: each.name)
def test_texts_call_functions_of_the_library_by_the_cutoff_that_they_take(notation: Notation) -> None:
    manifest = load(adapters_dir() / notation.library)
    functions = {each.name: each for each in manifest.functions_of(manifest.versions[0])}
    assert {name: functions[name].cutoff for name in notation.written} == {
        name: "{k}" in text for name, text in notation.written.items()
    }
    assert len(set(notation.written.values())) == len(notation.written)


@pytest.mark.parametrize("notation", EVERY, ids=lambda each: each.name)
def test_what_is_written_is_read_back_as_the_same_formula(notation: Notation) -> None:
    for pattern in notation.written.values():
        text = pattern.replace("{k}", "7")
        (read,) = read_written(f"{notation.name}:{text}")
        assert read.formula.k == (7 if "{k}" in pattern else read.formula.k)
        assert text in [each.text for each in write_formula(read.formula, notation)]


# What trec_eval, RecTools and ranx say of these in their documentation (adapters/*/library.toml quotes it).
@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("ndcg_cut_10", "ndcg@10|gain:linear"),
        ("map_cut_5", "average_precision@5|denominator:r"),
        ("P_k", "precision@k"),
        ("MAP( k = 10, divide_by_k=True )", "average_precision@10|denominator:k"),
        ("ranx:map@10", "average_precision@10|denominator:r"),
        ("ranx:ndcg_burges@3", "ndcg@3|gain:exp2"),
        ("trec_eval:map", "average_precision|denominator:r|cutoff:none"),
    ],
)
def test_a_text_means_what_its_documentation_says(text: str, formula: str) -> None:
    (read,) = read_written(text)
    assert read.formula == parse(formula)


@pytest.mark.parametrize(
    "text", ["map@10", "map", "ndcg@10", "ndcg@10|gain:exp2", "rectools:MAP", "ndcg_cut_ten", "f(x)"]
)
def test_what_is_a_name_here_or_nowhere_is_not_read_as_another_tools(text: str) -> None:
    assert read_written(text) == []


def test_of_a_call_that_is_not_known_those_of_its_name_are() -> None:
    assert written_like("P(rel=2)@5") == ["P@k (ir_measures)"]
    assert {"nDCG@k (ir_measures)", "NDCG(k=k) (RecTools)"} <= {*written_like("nDCG(dcg='exp-log2')@10")}
    assert written_like("f(x)") == written_like("P@5") == []


def test_what_no_call_computes_is_not_written() -> None:
    assert write_formula(parse("ndcg@10|gain:exp2"), notation_named("trec_eval")) == []
    with pytest.raises(UserError, match="no notation 'trec'"):
        notation_named("trec")


def test_the_page_of_signatures_is_made_of_the_same() -> None:
    assert PAGE.read_text(encoding="utf-8") == signature_page()


def test_explain_reads_a_call_and_says_whose_it_is() -> None:
    shown = audit("explain", "ndcg_cut_10")
    text = " ".join(shown.stdout.split())
    assert shown.exit_code == 0, shown.output
    assert "ndcg_cut_10 in trec_eval (pytrec_eval 0.5" in text and "the formula ndcg@10|gain:linear." in text
    assert "DCG = the sum of g_j / log2(j + 1) over the hits" in text


def test_show_writes_a_formula_as_another_tool_does() -> None:
    assert audit("show", "ndcg@10|gain:linear", "--call", "trec_eval").stdout == "ndcg_cut_10\n"
    assert audit("show", "MAP(k=10)", "--call", "ranx").stdout == "map@10\n"
    assert "trec_eval     ndcg_cut_10" in audit("show", "ndcg@10|gain:linear").stdout


def test_show_says_that_a_tool_has_no_expression_for_a_formula() -> None:
    shown = audit("show", "ndcg@10|gain:exp2", "--call", "trec_eval")
    assert (shown.exit_code, shown.stdout) == (4, "")
    assert "trec_eval has no expression for ndcg@10|gain:exp2" in shown.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ndcg", "--call", "letor"), "there is no notation 'letor'"),
        (("rs_metrics", "--call", "ranx"), "takes a formula"),
    ],
)
def test_a_call_that_cannot_be_written_is_bad_input(words: tuple[str, ...], said: str) -> None:
    shown = audit("show", *words)
    assert shown.exit_code == 2 and said in shown.stderr
