"""Tables 1 and 2: which function stands for a library, which mark it bears, and how the forms print them."""

from __future__ import annotations

import math
import re
from itertools import islice

import pytest
from rich.cells import cell_len
from rich.console import Console

from reports.model.result import NOT_RECORDED, Evidence, Reference, Result
from reports.renderers import markdown, terminal
from reports.tables.paper_tables import paper_tables
from reports.tables.table import Cell, Column, KeyEntry, Row, Table
from reports.wording.answer import answer
from reports.wording.formatting import passage, printable, rounded, web_link
from reports.wording.headline_findings import headline_findings
from reports.wording.meanings import meaning
from reports.wording.variant_letters import assign_letters, letter_sequence
from tests.support.result_samples import differing, finding, hostile, library, lost, result


def row(table: Table, label: str) -> list[str]:
    found = next(row for row in table.rows if row.label == label)
    return [cell.text + cell.mark for cell in found.cells]


def test_table_1_is_the_papers() -> None:
    first = paper_tables(result())[0]
    assert [c.heading for c in first.columns] == ["HitRate", "MAP", "MRR", "NDCG", "Precision", "Recall", "AUC"]
    assert [r.label for r in first.rows] == ["Canonical", "Alpha", "Beta", "Gamma", "Delta", "Omega"]
    assert row(first, "Canonical") == ["0.475", "0.039", "0.186", "0.093", "0.058", "0.096", "0.705"]
    assert row(first, "Beta") == ["1.151a", "0.032a", "0.186", "0.093", "0.058", "0.096", "0.687a"]
    assert row(first, "Gamma") == ["failed", "0.003?", "0.275a", "0.463a", "0.058~", "0.096!", "timed out"]
    assert row(first, "Delta") == ["–", "0.023b", "0.186", "crashed", "nan", "0.096", "0.283b"]
    assert first.rows[-1].note == "unavailable: Python 3.7 was not found."
    assert first.rows[3].detail == "0.4 (recorded)"


def test_the_key_says_what_each_mark_in_the_table_means_and_no_other() -> None:
    key = paper_tables(result())[0].key
    assert key == (
        KeyEntry("HitRate", "a", "hit_rate@20|counts:hits", "hit-rate-as-count"),
        KeyEntry("MAP", "a", "average_precision@20|denominator:r", "wrong-denominator"),
        KeyEntry("MAP", "b", "average_precision@20|denominator:k", "wrong-denominator"),
        KeyEntry("MRR", "a", "reciprocal_rank@20|ranks:sum", "sum-of-reciprocals"),
        KeyEntry("NDCG", "a", "ndcg@20|ideal:none", "missing-idcg, documented nowhere"),
        KeyEntry("AUC", "a", "auc|scope:stacked", "stacked-auc"),
        KeyEntry("AUC", "b", "auc@20|list:topk", "cut-off-upstream"),
        KeyEntry("", "~", "several definitions fit all that was asked", ""),
        KeyEntry("", "?", "no definition fits", ""),
        KeyEntry("", "!", "gives different answers to the same question", ""),
    )


def test_table_2_sorts_auc_by_meaning() -> None:
    second = paper_tables(result())[1]
    assert second.columns == (
        Column("GAUC", "canonical"),
        Column("SAUC", "a"),
        Column("GAUC@20", "b"),
        Column("unknown"),
    )
    assert [r.label for r in second.rows] == ["Canonical", "Alpha", "Beta", "Gamma", "Delta"]
    assert row(second, "Canonical") == ["0.705", "–", "–", "–"]
    assert row(second, "Beta") == ["0.705", "0.687", "–", "–"]
    assert row(second, "Gamma") == ["–", "–", "–", "timed out"]
    assert row(second, "Delta") == ["–", "–", "0.283", "–"]


def test_table_2_names_the_limited_one_and_what_is_no_auc_at_all() -> None:
    limited = differing("auc", "alpha", "list", "limited", 0.112, k=20)
    other = finding("auc", function="alpha.auc2", k=20, verdict="variant", signature="recall@20", value=0.1)
    second = paper_tables(result(findings=(limited, other)))[1]
    assert [column.heading for column in second.columns] == ["GAUC", "LAUC@20", "Recall"]


def test_no_table_2_without_an_auc() -> None:
    assert [table.name for table in paper_tables(result(findings=(finding(),)))] == ["Table 1"]


def test_the_headline_is_the_first_function_with_default_options_that_is_offered() -> None:
    option = differing("ndcg", "alpha", "gain", "exp2", 0.1, function="alpha.ndcg[type=exp]")
    missing = lost("ndcg", "alpha", "not_offered", "no such name", function="alpha.old_ndcg")
    first, second = finding(function="alpha.ndcg"), finding(function="alpha.Ndcg")
    given = result(findings=(option, missing, first, second))
    assert headline_findings(given, 20) == [first]
    assert headline_findings(result(findings=(option, missing)), 20) == [option]
    assert headline_findings(result(findings=(missing,)), 20) == [missing]


def test_a_failed_function_is_not_hidden_by_another_that_works() -> None:
    broken = lost("ndcg", "alpha", "failed", "boom", function="alpha.ndcg")
    assert headline_findings(result(findings=(broken, finding(function="alpha.ndcg2"))), 20) == [broken]


def several_ks() -> Result:
    rows = [finding(), differing("ndcg", "beta", "ideal", "none", 0.4, version="2.3.1")]
    at_5 = [
        finding(k=5, value=0.2),
        differing("ndcg", "beta", "ideal", "none", 0.9, version="2.3.1", k=5),
        differing("ndcg", "alpha", "gain", "exp2", 0.7, k=5, function="alpha.other"),
    ]
    auc = differing("auc", "beta", "scope", "stacked", 0.6, version="2.3.1")
    reference = (Reference(metric="ndcg", k=5, signature="ndcg@5", value=0.2),)
    return result(k=(5, 20), findings=(*rows, *at_5, auc), reference=reference)


def test_a_meaning_keeps_its_letter_at_every_cutoff() -> None:
    found = paper_tables(several_ks())
    assert [table.name for table in found] == [
        "Table 1 (k = 5)", "Table 2 (k = 5)", "Table 1 (k = 20)", "Table 2 (k = 20)"
    ]  # fmt: skip
    assert row(found[0], "Beta") == ["0.900a", "0.600a"]
    assert row(found[2], "Beta") == ["0.400a", "0.600a"]
    assert [mark.meaning for mark in found[2].key] == ["ndcg@20|ideal:none", "auc|scope:stacked"]
    assert row(found[0], "Canonical") == ["0.200", "–"]
    assert found[2].rows[0].label == "Alpha", "no canonical value at 20, no canonical row"


def test_letters_go_first_to_what_table_1_shows_and_never_end() -> None:
    marks = assign_letters(several_ks()).letters
    assert marks[("ndcg", "ndcg@k|ideal:none")] == "a"
    assert marks[("ndcg", "ndcg@k|gain:exp2")] == "b"
    assert list(islice(letter_sequence(), 29))[24:] == ["y", "z", "aa", "ab", "ac"]


def test_a_meaning_leaves_the_cutoff_open_and_only_the_cutoff() -> None:
    found = differing("ndcg", "alpha", "no_hit", "1/k", 0.1)
    assert meaning(found) == "ndcg@k|no_hit:1/k"
    assert meaning(finding("auc")) == "auc"
    assert meaning(finding(verdict="ambiguous")) == ""


def test_a_value_that_the_library_does_not_average_is_said() -> None:
    assert row(paper_tables(result(findings=(finding(value=None),)))[0], "Alpha") == ["per user"]
    replayed = {"live": False, "value": None}
    for data, shown in (("the values of 300 users", "per user"), (NOT_RECORDED, "not recorded")):
        heard = Evidence(cases=9, tolerance=1e-9, range={"data": data})
        assert row(paper_tables(result(findings=(finding(evidence=heard, **replayed),)))[0], "Alpha") == [shown]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0004, "0.000"), (-0.0001, "0.000"), (-0.25, "−0.250"), (1.1512, "1.151"), (12345.6789, "12345.679"),
        (math.nan, "nan"), (math.inf, "∞"), (-math.inf, "−∞"), (3.2e9, "3.2e+09"),
    ],
)  # fmt: skip
def test_values_have_three_decimals(value: float, shown: str) -> None:
    assert rounded(value) == shown


GOLDEN = """\
Table 1. The same predictions at k = 20, as each library reports them.
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
                      HitRate    MAP      MRR     NDCG    Precision   Recall      AUC
───────────────────────────────────────────────────────────────────────────────────────
Canonical             0.475    0.039    0.186    0.093      0.058    0.096      0.705
┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈
Alpha 1.0             0.475    0.039    0.186    0.093      0.058    0.096      0.705
Beta 2.3.1            1.151 a  0.032 a  0.186    0.093      0.058    0.096      0.687 a
Gamma 0.4 (recorded)   failed  0.003 ?  0.275 a  0.463 a    0.058 ~  0.096 !  timed out
Delta 3.0                 –    0.023 b  0.186    crashed      nan    0.096      0.283 b
Omega 9               unavailable: Python 3.7 was not found.
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
HitRate  a  hit_rate@20|counts:hits                       hit-rate-as-count
MAP      a  average_precision@20|denominator:r            wrong-denominator
MAP      b  average_precision@20|denominator:k            wrong-denominator
MRR      a  reciprocal_rank@20|ranks:sum                  sum-of-reciprocals
NDCG     a  ndcg@20|ideal:none                            missing-idcg, documented nowhere
AUC      a  auc|scope:stacked                             stacked-auc
AUC      b  auc@20|list:topk                              cut-off-upstream
         ~  several definitions fit all that was asked
         ?  no definition fits
         !  gives different answers to the same question
"""


def test_the_terminal_shows_it_as_printed_here() -> None:
    assert terminal.render_table(paper_tables(result())[0]) == GOLDEN


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_the_terminal_is_never_overrun(width: int) -> None:
    for made in (result(), hostile()):
        for table in paper_tables(made):
            lines = terminal.render_table(table, width).splitlines()
            assert max(map(cell_len, lines)) <= width


def test_twelve_columns_stand_in_two_blocks_of_a_hundred() -> None:
    cells = tuple(Cell("0.123", "a") for _ in range(12))
    columns = tuple(Column(f"Metric {n:02}") for n in range(12))
    shown = terminal.render_table(Table("Table 1", "Wide.", columns, (Row("Some library", "1.0", cells),), ()))
    assert re.findall(r"Metric \d\d", shown) == [c.heading for c in columns]
    assert shown.count("Some library 1.0") == 2


def test_the_terminal_is_not_driven_by_foreign_text() -> None:
    console = Console(width=100, force_terminal=True, color_system="truecolor")
    with console.capture() as capture:
        terminal.print_report(hostile(), console)
    plain = re.sub(r"\x1b\[[\d;]*m", "", capture.get())
    assert "\x1b" not in plain
    assert "\\x1b[31mred" in plain
    assert "[bold]markup[/bold]" in plain
    assert "\u202e" not in plain


def test_markdown_table_2() -> None:
    assert markdown.render_table(paper_tables(result())[1]) == (
        "**Table 2.** AUC, by the meaning of what each library computes under this name.\n"
        "\n"
        "|  | GAUC canonical | SAUC a | GAUC@20 b | unknown |\n"
        "|---|---:|---:|---:|---:|\n"
        "| *Canonical* | *0.705* | *–* | *–* | *–* |\n"
        "| Alpha 1.0 | 0.705 | – | – | – |\n"
        "| Beta 2.3.1 | 0.705 | 0.687 | – | – |\n"
        "| Gamma 0.4 (recorded) | – | – | – | timed out |\n"
        "| Delta 3.0 | – | – | 0.283 | – |\n"
        "\n"
        "- AUC <sup>a</sup> `auc|scope:stacked` (stacked-auc)\n"
        "- AUC <sup>b</sup> `auc@20|list:topk` (cut-off-upstream)"
    )


def test_markdown_marks_and_failures() -> None:
    lines = markdown.render_table(paper_tables(result())[0]).splitlines()
    assert "| Omega 9 | unavailable |  |  |  |  |  |  |" in lines
    assert "- Omega 9: unavailable: Python 3.7 was not found." in lines
    gamma = next(line for line in lines if line.startswith("| Gamma"))
    assert "| failed | 0.003<sup>?</sup> | 0.275<sup>a</sup> |" in gamma


def test_markdown_carries_no_foreign_markup() -> None:
    shown = markdown.render_report(hostile())
    outside_code = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", shown)
    assert set(re.findall(r"<[^>]*>", outside_code)) <= {"<sup>", "</sup>"}
    for table in paper_tables(hostile()):
        lines = [line for line in markdown.render_table(table).splitlines() if line.startswith("|")]
        assert len(lines) == 2 + len(table.rows)
        for line in lines:
            assert len(re.findall(r"(?<!\\)\|", line)) == len(table.columns) + 2, "whatever bars a name holds"


@pytest.mark.parametrize(
    ("given", "shown"), [("a|b", "`a|b`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a\nb", "`a b`")]
)
def test_code_spans_hold_backticks(given: str, shown: str) -> None:
    assert markdown.code_span(given) == shown


def test_mentions_and_links_of_foreign_text_stay_text() -> None:
    assert markdown.escape("@all see http://x") == "@\u2060all see http:\u2060//x"
    assert markdown.escape("GAUC@20") == "GAUC@20"


def test_hidden_characters_are_shown() -> None:
    assert printable("a\x1b\u202eb\x00\ue000") == "a\\x1b\\u202eb\\x00\ue000"
    assert printable("שלום\nx\u200d") == "שלום\nx\u200d"


def test_a_long_text_keeps_a_way_to_the_whole() -> None:
    long = "x" * 10_000
    assert passage(long).head == "x" * 240 + " …"
    assert passage(long).whole == long
    assert passage(long + "end", end=True).head == "… " + "x" * 237 + "end"
    assert passage("short") == passage("short\n")
    assert passage("short").whole is None


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("javascript:alert(1)", None), ("data:text/html,x", None), ("//example.org", None),
        ("https://x\" onclick=\"y", None), ("https://x\n.org", None), ("", None),
    ],
)  # fmt: skip
def test_only_plain_web_addresses_become_links(address: str, link: str | None) -> None:
    assert web_link(address) == link


def test_the_answer_counts_what_agrees_differs_and_cannot_be_told() -> None:
    assert answer(result()) == (
        "No. Of 7 metrics that 4 library versions computed from the same predictions, they differ on 5 and "
        "of 2 (Precision and Recall) it cannot be told; MAP alone is computed in 4 ways, with values from "
        "0.003 to 0.039."
    )


def test_the_answer_when_all_agree_one_ran_or_none_did() -> None:
    two = (library(), library("beta", "2"))
    both = (finding(), finding(name="beta", version="2"))
    assert answer(result(libraries=two, findings=both)) == (
        "Yes, on what was asked here. Of 1 metric that 2 library versions computed from the same "
        "predictions, they agree on 1 (NDCG)."
    )
    unsure = (finding(), finding(name="beta", version="2", verdict="unstable"))
    assert answer(result(libraries=two, findings=unsure)).startswith("No difference was found. Of 1 metric")
    assert answer(result(findings=(finding(), finding("recall")))) == (
        "One library version was measured: Alpha 1.0 computes the canonical definition of 2 of 2 metrics."
    )
    broken = lost("ndcg", "alpha", "failed", "boom")
    assert answer(result(findings=(broken,))) == "Nothing could be measured in this run."
    assert answer(result(findings=(), k=())) == "Nothing could be measured in this run."
    apart = (finding(), finding("recall", "beta", "2"))
    assert "they share none" in answer(result(libraries=two, findings=apart))


def test_two_that_fit_nothing_are_not_said_to_be_two_ways() -> None:
    three = [library(), library("beta", "2"), library("gamma", "3")]
    lost_ones = [finding(name=e.library, version=e.version, verdict="unexplained") for e in three[1:]]
    found = answer(result(libraries=three, findings=(finding(), *lost_ones)))
    assert "NDCG alone is computed in 2 ways" in found
