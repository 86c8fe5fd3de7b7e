"""Templates: slots are filled with wordings, meanings or numbers, and empty lines are left out."""

from __future__ import annotations

from recsys_metric_audit.reference.definitions.definition import Definition
from recsys_metric_audit.reference.formula_text.template import FormulaLine, FormulaTemplate, fill


def filled(line: tuple[str, str], slots: dict[str, dict[str, tuple[str, str]]], **axes: str) -> tuple[FormulaLine, ...]:
    return fill(FormulaTemplate("", (line,), slots), Definition.of("ndcg", axes, 5))


def test_a_value_without_a_wording_of_its_own_reads_as_its_meaning() -> None:
    slots = {"gain": {"*": (r"\cdot <meaning>", "times <meaning>")}}
    (line,) = filled(("<gain> <discount>", "<gain>, <discount>"), slots, gain="square_minus_1", discount="ln")
    assert line.text == "times g² - 1, 1 / ln(j + 1)"
    assert line.latex == r"\cdot \text{g² - 1} \text{1 / ln(j + 1)}"


def test_slots_are_filled_inside_wordings() -> None:
    slots = {"ideal": {"all": ("I(<gain>)", "ideal of <gain>")}, "gain": {"exp2": ("2^g", "2^g")}}
    assert filled(("<ideal>", "<ideal>"), slots, ideal="all", gain="exp2") == (FormulaLine("I(2^g)", "ideal of 2^g"),)


def test_a_slot_with_a_form_has_wordings_of_its_own() -> None:
    slots = {"gain": {"exp2": ("a", "a")}, "gain.note": {"exp2": ("b", "b")}}
    assert filled(("<gain><gain.note>", "<gain><gain.note>"), slots, gain="exp2") == (FormulaLine("ab", "ab"),)


def test_numbers_and_the_cut_off_read_as_themselves() -> None:
    assert filled(("<discount>@<k>", "<discount>@<k>"), {}, discount="3")[0].text == "3@5"
    template = FormulaTemplate("", (("<k>", "<k>"),))
    assert fill(template, Definition.of("ndcg"))[0].text == "k"


def test_an_empty_line_is_left_out() -> None:
    assert filled(("<gain>", "<gain>"), {"gain": {"exp2": ("", "")}}, gain="exp2") == ()


def test_special_characters_of_a_meaning_are_escaped_in_latex_only() -> None:
    (line,) = filled(("<users>", "<users>"), {"users": {"*": (r"\%<meaning>", "%<meaning>")}})
    assert line.text == "%users with relevant items" and line.latex == r"\%\text{users with relevant items}"
