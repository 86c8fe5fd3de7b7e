"""Results show themselves: aligned text in a terminal, an HTML table in a notebook."""

from __future__ import annotations

from collections.abc import Sequence

from recsys_metric_audit.reference.evaluation.shown_table import ShownAsTable, Tables


class Shown(ShownAsTable):
    def __init__(self, heading: str = "", **columns: Sequence[object]) -> None:
        self._own, self._said = columns, heading

    def _shown(self) -> dict[str, Sequence[object]]:
        return dict(self._own)

    def _heading(self) -> str:
        return self._said


def test_text_is_to_the_left_and_numbers_to_the_right_with_what_is_unknown_as_a_dash() -> None:
    shown = Shown(name=["ann", "b"], users=[12345, None], value=[0.25, 0.00001234], nothing=[None, None])
    assert repr(shown) == (
        "name   users      value\n"
        "ann   12,345     0.2500\n"
        "b          –  1.234e-05"
    )  # fmt: skip


def test_html_is_escaped() -> None:
    shown = Shown("a < b", name=["<i>"], value=[float("nan")])
    assert shown._repr_html_() == (
        "<p>a &lt; b</p><table><thead><tr><th>name</th><th>value</th></tr></thead>"
        "<tbody><tr><td>&lt;i&gt;</td><td>nan</td></tr></tbody></table>"
    )


def test_of_many_rows_the_first_are_shown_and_the_others_counted() -> None:
    shown = Shown(value=[1] * 1100)
    lines = repr(shown).splitlines()
    assert len(lines) == 1 + 60 + 1 and lines[-1] == "and 1,040 further rows"
    assert shown._repr_html_().count("<tr>") == 61 and "and 1,040 further rows" in shown._repr_html_()


def test_several_tables_are_shown_one_below_the_other() -> None:
    several = Tables([Shown(a=[1]), Shown(b=[2])])
    assert repr(several) == "a\n1\n\nb\n2" and several._repr_html_().count("<table>") == 2
    assert repr(Tables([])) == "()"
    assert len(several) == 2 and isinstance(several, tuple)
