"""Every form tells the re-audit of a paper, from claims written by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from io import StringIO

from rich.console import Console

from recsys_metric_audit.reports.paper.claims import PaperHead
from recsys_metric_audit.reports.paper.digits import Digits
from recsys_metric_audit.reports.paper.reaudit import ClaimView, FindingView, Reaudit, SubjectView
from recsys_metric_audit.reports.renderers.reaudit_formats import (
    LINES,
    WIDTH,
    as_json,
    as_markdown,
    print_claim,
    screen_lines,
)

HEAD = PaperHead(authors="Ann & Bob", title="Do metrics agree?", venue="RecSys 2099", link="https://example.org")
FINDING = FindingView(
    "lib.recall", "1.0", True, True, "recall@k|denominator:min", "as the paper says", math.nan, "1/2, not 1/3"
)
ABOUT = SubjectView("Lib", "Recall", "1.0", "confirmed", "", (FINDING,))


def claim(number: int, answer: str = "yes", reason: str = "It does.") -> ClaimView:
    return ClaimView(
        number, f"Claim {number}", "The library | divides by k.", "§3", "confirmed", "In full.", (ABOUT,),
        ("measured",), ("1 + 1 = 2",), answer, reason, ("the lost file",),
    )  # fmt: skip


def reaudit(*told: ClaimView) -> Reaudit:
    return Reaudit("ann2099", HEAD, told, (), ())


def lines_of(found: Reaudit, *others: str) -> list[str]:
    return screen_lines(found, "a run", others)


def test_a_claim_has_its_answer_and_its_reason() -> None:
    assert lines_of(reaudit(claim(1), claim(2, "no", "It does not.")))[-4:] == [
        " 1  yes       Claim 1", "    It does.", " 2  no        Claim 2", "    It does not.",
    ]  # fmt: skip


def test_answers_are_counted() -> None:
    found = reaudit(claim(1), claim(2, "no"), claim(3, "no"))
    assert lines_of(found)[0] == "Ann & Bob (RecSys 2099), re-audited. 3 claims: 2 “no”, 1 “yes”"
    assert as_markdown(found, "a run").startswith("# Ann &amp; Bob, Do metrics agree? RecSys 2099, re-audited\n")


def test_twenty_long_reasons_fit_on_the_screen_and_the_severest_is_told_in_full() -> None:
    long = "reason " * 60  # 420 characters: 5 lines of 96
    shown = lines_of(
        reaudit(*(claim(number, "no" if number == 13 else "yes", long) for number in range(1, 21))), "x2098"
    )
    assert len(shown) <= LINES and max(map(len, shown)) <= WIDTH
    assert shown[-1] == "Other papers (audit paper KEY): x2098."
    at = shown.index("13  no        Claim 13")
    assert " ".join(line.strip() for line in shown[at + 1 : at + 6]) == long.strip()
    assert shown[shown.index("20  yes       Claim 20") + 1].endswith(" …")


def test_the_command_for_a_claim_names_the_paper_where_it_has_to() -> None:
    assert "audit paper ann2099 NUMBER tells a claim in full." in lines_of(reaudit(claim(1)))
    assert "audit paper NUMBER tells a claim in full." in lines_of(reaudit(claim(1)), "x2098")


def test_a_claim_in_full_tells_its_evidence_and_what_cannot_be_checked() -> None:
    output = StringIO()
    print_claim(claim(7), Console(file=output, width=200, color_system=None))
    assert [line.rstrip() for line in output.getvalue().splitlines()] == [
        "7. Claim 7: CONFIRMED",
        "   The paper, §3: The library | divides by k.",
        "   It does.",
        "   In full.",
        "   - 1 + 1 = 2",
        "   - measured",
        "   - Lib 1.0 (recorded) lib.recall: recall@k|denominator:min, as the paper says. Witness: 1/2, not 1/3",
        "   Not verifiable here: the lost file",
    ]


def test_a_claim_in_markdown_is_escaped() -> None:
    page = as_markdown(reaudit(claim(7)), "a run").split("\n\n")
    assert page[1:5] == [
        "<https://example.org>",
        "From a run. 1 claim: 1 confirmed.",
        "## 7. Claim 7: confirmed",
        r"*The paper, §3: The library \| divides by k.*",
    ]
    assert "- Not verifiable here: the lost file" in page[-1]


def test_table_3_and_equal_digits_close_the_page_of_the_paper_that_has_them() -> None:
    digits = Digits("Lib", "1.0", "lib.recall", "Recall", 0.1234, 0.12341, 4)
    full = replace(
        reaudit(claim(1)), table3=(("cites", "9/15"), ("defines", "6/15")), papers=(("Ann", "names none"),),
        digits=(digits,),
    )  # fmt: skip
    page = as_markdown(full, "a run")
    assert "| cites | defines |\n| --- | --- |\n| 9/15 | 6/15 |\n\n- Ann: names none" in page
    assert page.rstrip().endswith("0.12341, in the paper 0.1234: 4 digits are the same")


def test_json_holds_every_field_and_no_number_that_json_lacks() -> None:
    told = json.loads(as_json(reaudit(claim(7)), "a run"))
    assert (told["from"], told["paper"], told["key"]) == ("a run", HEAD.citation, "ann2099")
    (only,) = told["told"]
    assert (only["number"], only["arithmetic"], only["unverified"]) == (7, ["1 + 1 = 2"], ["the lost file"])
    assert only["about"][0]["evidence"][0]["value"] == "nan"
