"""Checks what a paper says of a definition: the sentence, LaTeX, BibTeX and the command."""

from __future__ import annotations

import re
import shlex

import pytest

from recsys_metric_audit import parse
from recsys_metric_audit.reference.catalogue import CATALOGUE, bibliography
from recsys_metric_audit.reference.catalogue.bibliography import JARVELIN, MANNING, MCSHERRY, XGBOOST, Source
from recsys_metric_audit.reports.handbook.paper_kit import bibtex, key, kit_text, paper_kit

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
