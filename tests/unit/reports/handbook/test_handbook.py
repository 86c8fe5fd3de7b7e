"""Hold what explain prints: entries of metrics, choices, lists, the paper kit."""

from __future__ import annotations

import itertools
import json
import math
import re
import shlex
from collections.abc import Callable
from io import StringIO
from xml.etree import ElementTree

import pytest
from rich.console import Console

from recsys_metric_audit import explain as public_explain
from recsys_metric_audit import parse
from recsys_metric_audit.reference.catalogue import CATALOGUE, Variant, bibliography, variants_of
from recsys_metric_audit.reference.catalogue.bibliography import (
    JARVELIN,
    MANNING,
    MCSHERRY,
    TAMM,
    XGBOOST,
    Citation,
    Source,
)
from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.formula_text import averaging_lines, formula_lines, template_of
from recsys_metric_audit.reference.metrics import FAMILIES, METRICS
from recsys_metric_audit.reports.handbook import explain_text
from recsys_metric_audit.reports.handbook.choosing import QUESTIONS, figures, problem_of, values
from recsys_metric_audit.reports.handbook.explain_text import as_json, as_markdown
from recsys_metric_audit.reports.handbook.explanation import (
    explain,
    print_choices,
    print_heading,
    print_paragraph,
    print_table,
    print_term,
)
from recsys_metric_audit.reports.handbook.metric_entries import axes_of, mathml
from recsys_metric_audit.reports.handbook.paper_kit import bibtex, key, kit_text, paper_kit
from recsys_metric_audit.reports.renderers.html import ENVIRONMENT
from tests.support.console_lines import at_80, too_wide
from tests.support.slow_parameters import slow_but_first

# One definition explained: what it equals, and whether a source states it.


def test_equals_are_found_across_metrics() -> None:
    assert "recall@k" in explain(parse("hit_rate@20|counts:recall")).equals
    assert "miss_rate@k" not in explain(parse("recall@k")).equals
    assert explain(parse("ndcg@5|discount:ln")).simplified == "ndcg@5"
    assert "discount:ln" in explain(parse("ndcg@5")).inactive
    assert "discount:ln" not in explain(parse("ndcg@5|ideal:none")).inactive


def test_what_nobody_states_is_said_to_be_so() -> None:
    assert explain(parse("ndcg@k|gain:square_minus_1")).status == "stated by no source of the catalogue"
    assert explain(parse("ndcg@k|discount:ln")).status == "canonical"


def test_what_is_documented_is_told_apart_from_a_documented_formula_of_other_users() -> None:
    assert explain(parse("ndcg@k|gain:exp2")).status == "documented"
    assert explain(parse("ndcg@k|gain:exp2|users:all|undefined:0")).status == "documented in its formula"
    assert explain(parse("ndcg@k|users:all|undefined:0")).status == "canonical in its formula"


def test_what_comes_out_where_nobody_is_left_tells_definitions_apart() -> None:
    assert "recall@k" not in explain(parse("recall@k|nobody:0")).equals
    assert explain(parse("recall@k|nobody:0")).status == "canonical in its formula"


# What is printed of every metric and of documented variants at 80 columns.


@pytest.mark.slow
@pytest.mark.parametrize("metric", FAMILIES)
def test_every_metric_reads_at_80_columns(metric: str) -> None:
    lines = at_80(explain_text.show_metric, metric)
    assert not too_wide(lines)
    shown = " ".join(" ".join(lines).split())
    for axis in FAMILIES[metric].all_axes:
        assert f"{axis.name}: {axis.meaning}" in shown, "told in full, not cut off at the margin"
    assert any(line.startswith("  Canonical: ") for line in lines)
    assert sum(line.startswith("  ") for line in lines) > 20


@pytest.mark.parametrize("signature", slow_but_first([variant.signature for variant in CATALOGUE][::6], 5))
def test_variants_read_at_80_columns(signature: str) -> None:
    lines = at_80(lambda signature, console: public_explain(signature).print_on(console), signature)
    assert not too_wide(lines)
    for head in ("Formula", "What else it equals", "Sources"):
        assert head in lines or not parse(signature).differs_on or "in use" in "".join(lines) or head == "Sources"


# The documented definitions as JSON and as a Markdown table.

UNCITED = Variant("recall@k|denominator:min", ("a | b",), "Higher.", ())
CITED = Variant("recall@k", ("recall",), "", (Citation(TAMM, "§4.1"),))


def test_json_has_both_signatures_both_formulas_and_the_sources() -> None:
    first, second = json.loads(as_json([CITED, UNCITED]))
    assert first["signature"] == "recall@k" and first["canonical"] and first["differs_on"] == []
    assert first["formula"][0] == "recall@k = H / r" and first["latex"][0].startswith(r"\text{recall@}")
    assert first["sources"] == [{"text": "Tamm et al. 2021, §4.1", "title": f"{TAMM.title}. {TAMM.place}",
                                 "link": TAMM.link}]  # fmt: skip
    assert second["differs_on"] == ["denominator"] and second["sources"] == [] and not second["canonical"]


def test_markdown_is_a_row_a_variant_with_pipes_of_signatures_escaped() -> None:
    head, rule, cited, uncited = as_markdown([CITED, UNCITED]).splitlines()
    assert head == "| signature | name | differs | stated by |" and rule == "|---|---|---|---|"
    assert cited == f"| `recall@k` | recall | canonical | [Tamm et al. 2021, §4.1]({TAMM.link}) |"
    assert uncited.startswith("| `recall@k\\|denominator:min` |") and uncited.endswith("| in use, stated nowhere |")


def test_every_variant_of_a_metric_is_listed() -> None:
    assert len(json.loads(as_json(variants_of("ndcg")))) == len(variants_of("ndcg"))


# Entries of metrics: every metric has a formula in words and in MathML, and every citation can be followed.


def test_every_metric_has_an_entry_that_says_why_its_canonical_point_is_one() -> None:
    for canonical in map(Definition.of, FAMILIES):
        assert template_of(canonical).measures and canonical.family.why_canonical
        assert formula_lines(canonical) and averaging_lines(canonical)


@pytest.mark.parametrize("name", FAMILIES)
def test_formulas_are_well_formed_mathml(name: str) -> None:
    definitions = [Definition.of(name), *(variant.definition for variant in variants_of(name))]
    for line in (line for each in definitions for line in (*formula_lines(each), *averaging_lines(each))):
        root = ElementTree.fromstring(mathml(line.latex))
        assert root.tag == "math" and len(root.findall(".//")) > 1
        assert "\\" not in "".join(root.itertext()), line.latex


def test_ndcg_is_told_from_its_axes() -> None:
    (variant,) = (each for each in variants_of("ndcg") if each.signature == "ndcg@k|discount:ln|ideal:none")
    text = "\n".join(line.text for line in formula_lines(variant.definition))
    assert "ln(j + 1)" in text and "IDCG" not in text and "log2" not in text


def test_links_of_sources_are_web_addresses() -> None:
    links = {citation.source.link for variant in CATALOGUE for citation in variant.citations} - {""}
    assert links and all(link.startswith(("https://", "http://")) for link in links)


def test_the_partial_renders_every_entry() -> None:
    head = '{% from "handbook.html" import show_details %}'
    template = ENVIRONMENT.from_string(head + "{% for each in entries %}{{ show_details(each) }}{% endfor %}")
    page = template.render(entries=map(Definition.of, FAMILIES))
    shown = [variant for name in FAMILIES if len(variants_of(name)) > 1 for variant in variants_of(name)]
    for variant in shown:
        assert f"<code>{variant.signature}</code>" in page
    assert "&lt;math" not in page and page.count("<math") == page.count("</math>")
    assert page.count("<math") == sum(len(formula_lines(variant.definition)) for variant in shown) > 50


def test_an_entry_marks_its_canonical_values() -> None:
    for axis, canonical in (*axes_of([FAMILIES["recall"]], True), *axes_of([FAMILIES["recall"]], False)):
        assert [value.name for value in axis.values].count(canonical) == 1
    (variant,) = (each for each in variants_of("recall") if not each.definition.differs_on)
    assert (variant.signature, variant.name, variant.differs) == ("recall@k", "recall", "")


def test_shared_axes_are_those_outside_the_formula_each_once() -> None:
    names = [axis.name for axis, _ in axes_of(METRICS.values(), False)]
    assert len(names) == len(set(names)) and {"users", "ties", "no_hit"} <= set(names)
    assert "denominator" not in names and "gain" not in names


# Choosing a metric: the figures show what their lessons say, on the page as well.


def rising(values: list[float]) -> bool:
    return all(a <= b for a, b in itertools.pairwise(values))


def column(number: int, name: str) -> list[float]:
    figure = figures()[number]
    place = figure.heads.index(name)
    return [row.values[place] for row in figure.rows]


def test_figures_show_what_their_lessons_say() -> None:
    lengths = [value for value in column(0, "inform") if not math.isnan(value)]
    assert rising(column(0, "recall")) and column(0, "prec")[0] > column(0, "prec")[-1]
    assert 0 < lengths.index(max(lengths)) < len(lengths) - 1
    assert len(set(column(1, "prec"))) == len(set(column(1, "recall"))) == 2
    steps = [a - b for a, b in zip(column(1, "AUC"), column(1, "AUC")[1:], strict=False)]
    assert steps == pytest.approx([1 / 9] * 9)
    assert len({round(value, 9) for value in column(1, "LAUC")[4:]}) == 1
    assert max(column(3, "inform")) < 0 and max(column(3, "marked")) < 0 and max(column(3, "prec")) == 0.75
    assert all(a > b for a, b in zip(column(4, "LAUC")[1:4], column(4, "LAUC")[2:5], strict=True))


def test_values_of_figures_by_hand() -> None:
    assert values("auc@k|list:limited", problem_of([([5], 4)])) == pytest.approx([(0 + (0 + 1) / 2 * (9 - 4)) / 9])
    assert values("informedness", problem_of([((1, 2, 4, 7), 4)])) == pytest.approx([3 / 4 + 5 / 6 - 1])
    assert math.isnan(values("markedness", problem_of([((1, 2), 10)]))[0])


def test_the_page_has_the_same_questions_and_figures() -> None:
    from recsys_metric_audit.reports.handbook.choosing import SOURCE
    from recsys_metric_audit.reports.renderers.html import ENVIRONMENT

    template = ENVIRONMENT.from_string(
        '{% from "choosing.html" import show_choosing %}{{ show_choosing(questions, figures, source) }}'
    )
    page = template.render(questions=QUESTIONS, figures=figures(), source=SOURCE)
    assert page.count("<table") == len(figures()) and page.count("<li>") == len(QUESTIONS)
    assert "●○○○|○○○○○○" in page and "<td>0.89</td>" in page


# Choosing a metric reads at 80 columns.


def test_choosing_reads_at_80_columns() -> None:
    lines = at_80(explain_text.show_choosing)
    assert not [line for line in lines if len(line) > 80]
    assert sum(line[:1].isdigit() for line in lines) == len(QUESTIONS) == 6


# Texts on a terminal of 40 columns.


def at_40(show: Callable[[Console], None]) -> list[str]:
    output = StringIO()
    show(Console(file=output, width=40, color_system=None, highlight=False))
    return [line.rstrip() for line in output.getvalue().splitlines()]


def test_a_heading_is_not_wrapped() -> None:
    long = "heading " * 8
    assert at_40(lambda console: print_heading(console, long)) == ["", long.rstrip()]


def test_a_paragraph_is_wrapped_and_indented() -> None:
    told = "The share of relevant items that are in the first k."
    assert at_40(lambda console: print_paragraph(console, told)) == [
        "  The share of relevant items that are", "  in the first k.",
    ]  # fmt: skip


def test_a_term_is_never_wrapped_and_its_explanation_stands_below() -> None:
    signature = "ndcg@20|gain:exp2|ideal:all|users:both|ties:given"
    assert at_40(lambda console: print_term(console, signature, "one definition")) == [
        "  " + signature, "    one definition",
    ]  # fmt: skip


def test_columns_of_a_table_are_as_wide_as_their_longest_cell() -> None:
    rows = [("recall", "1/3"), ("r", "0")]
    assert at_40(lambda console: print_table(console, ("metric", "value"), rows)) == [
        "  metric  value", "  recall  1/3", "  r       0",
    ]  # fmt: skip


def test_choices_are_aligned() -> None:
    pairs = [("k", "the cut-off"), ("min", "the smaller")]
    assert at_40(lambda console: print_choices(console, pairs)) == ["    k    the cut-off", "    min  the smaller"]


def test_foreign_control_characters_are_shown() -> None:
    assert at_40(lambda console: print_paragraph(console, "a\x1b[2Jb")) == ["  a\\x1b[2Jb"]


# Formulas as MathML.


def test_a_fraction_becomes_one() -> None:
    root = ElementTree.fromstring(mathml(r"\frac{H}{k}"))
    (fraction,) = root.iter("mfrac")
    assert ["".join(part.itertext()) for part in fraction] == ["H", "k"]


def test_characters_stand_for_themselves_except_those_of_markup() -> None:
    assert "≤" in mathml(r"j \le k") and "&#x" not in mathml(r"j \le k")
    assert "&lt;" in mathml(r"i \lt j") or "&#x0003C;" in mathml(r"i \lt j")
    assert ElementTree.fromstring(mathml(r"i \lt j")).tag == "math"


def test_a_formula_stands_on_a_line_of_its_own_or_in_the_text() -> None:
    assert 'display="block"' in mathml("r") and 'display="inline"' in mathml("r", block=False)


# Checks what a paper says of a definition: the sentence, LaTeX, BibTeX and the command.

SOURCES = [each for each in vars(bibliography).values() if isinstance(each, Source)]


def test_a_journal_article_has_volume_number_pages_and_doi() -> None:
    assert bibtex(JARVELIN).splitlines() == [
        "@article{jarvelin2002,",
        "  author = {Järvelin, Kalervo and Kekäläinen, Jaana},",
        "  title = {{Cumulated gain-based evaluation of IR techniques}},",
        "  journal = {ACM Transactions on Information Systems},",
        "  volume = {20},",
        "  number = {4},",
        "  pages = {422--446},",
        "  year = {2002},",
        "  doi = {10.1145/582415.582418},",
        "  url = {https://doi.org/10.1145/582415.582418},",
        "}",
    ]


@pytest.mark.parametrize(
    ("source", "kind", "place"),
    [
        (MCSHERRY, "@inproceedings{mcsherry2008,", "booktitle = {European Conference on Information Retrieval}"),
        (MANNING, "@book{manning2008,", "publisher = {Cambridge University Press}"),
        (XGBOOST, "@misc{xgboost,", "howpublished = {XGBoost documentation}"),
    ],
)
def test_other_sources_are_of_their_kind(source: Source, kind: str, place: str) -> None:
    entry = bibtex(source)
    assert entry.startswith(kind) and place in entry


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.short)
def test_every_entry_is_well_formed(source: Source) -> None:
    entry = bibtex(source)
    assert entry.count("{") == entry.count("}")
    without_links = "\n".join(line for line in entry.splitlines() if not line.startswith(("  url", "  doi")))
    assert not re.search(r"(?<!\\)[&%$#]", without_links)
    assert re.fullmatch(r"[a-z_]+(\d{4}|_\d+)?", key(source))  # a year, or the version of a program


def test_no_two_sources_share_a_key() -> None:
    assert len({key(source) for source in SOURCES}) == len(SOURCES) > 20


def test_the_sentence_says_formula_mean_other_levels_sources_and_signature() -> None:
    told = paper_kit(parse("ndcg@20|gain:exp2|users:both|ties:text_desc")).sentence
    for words in (
        "NDCG@20 is DCG / IDCG", "DCG is the sum of (2^g_j - 1) / log2(j + 1) over the hits",
        "the mean of the values of users with relevant items and recommendations", "Who counts: ",
        "order of equal scores: by item id as text, descending", "ndcg@20|gain:exp2|users:both|ties:text_desc",
        "Burges et al. 2005",
    ):  # fmt: skip
        assert words in told


def test_a_canonical_definition_says_nothing_of_other_levels() -> None:
    told = paper_kit(parse("recall@5")).sentence
    assert "Who counts" not in told and "Unusual input" not in told and "recall@5 is H / r" in told


def test_a_definition_known_from_code_cites_the_code() -> None:
    made = paper_kit(parse("ndcg@10|ideal:retrieved"))
    assert any("Neural Graph Collaborative Filtering" in entry for entry in made.bibtex)


def test_the_formula_is_one_environment_with_a_line_for_each_formula() -> None:
    latex = paper_kit(parse("ndcg@20|gain:exp2")).latex
    assert latex.count(r"\begin{gather*}") == latex.count(r"\end{gather*}") == 1
    assert r"\left(2^{g_j} - 1\right)" in latex
    body = [line for line in latex.splitlines() if not line.startswith(("%", "\\"))]
    assert len(body) == 4 and all(line.endswith(r"\\") for line in body[:-1]) and not body[-1].endswith(r"\\")


@pytest.mark.parametrize(
    ("signature", "words"),
    [
        ("ndcg@20|gain:exp2", ["-k", "20", "--metrics", "ndcg|gain:exp2"]),
        ("auc|scope:stacked", ["--metrics", "auc|scope:stacked"]),
    ],
)
def test_the_command_is_what_a_shell_reads(signature: str, words: list[str]) -> None:
    typed = shlex.split(paper_kit(parse(signature)).command)
    assert typed == ["audit", "evaluate", "predictions.csv", "truth.csv", *words]


@pytest.mark.parametrize("variant", CATALOGUE, ids=lambda variant: variant.signature)
def test_every_documented_definition_has_a_kit(variant: object) -> None:
    text = kit_text(paper_kit(variant.definition))  # type: ignore[attr-defined]
    assert all(f"\n{heading}\n" in f"\n{text}" for heading in ("Sentence", "LaTeX (amsmath)", "BibTeX", "Command"))
    latex = text[text.index("LaTeX") : text.index("BibTeX")]
    assert latex.count("{") == latex.count("}")
