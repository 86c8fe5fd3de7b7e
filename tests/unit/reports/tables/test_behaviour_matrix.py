"""The edge-behaviour matrix: one cell per library version and experiment."""

from __future__ import annotations

from recsys_metric_audit.reports.model.result import Behaviour, Result
from recsys_metric_audit.reports.tables.behaviour_matrix import behaviour_glossary, behaviour_matrix
from recsys_metric_audit.reports.tables.table import EMPTY
from tests.support.result_samples import finding, library, result


def asked(**names: str) -> Result:
    """Return a run in which each function behaved as named when a user had no list."""
    found = tuple(
        finding(function=function, behaviours={"no_list": Behaviour(name=name, slug="odd" if name == "nan" else None)})
        for function, name in names.items()
    )
    return result(libraries=(library(),), findings=found)


def cell(**names: str) -> tuple[str, str]:
    table = behaviour_matrix(asked(**names))
    assert table is not None
    return table.rows[0].cells[0].text, table.rows[0].cells[0].state


def test_a_cell_has_the_common_behaviours_and_counts_the_rest() -> None:
    assert cell(a="counted_once") == ("counted once", "canonical")
    assert cell(a="zero", b="nan", c="zero") == ("zero 2, nan 1", "variant")
    assert cell(a="zero", b="zero", c="zero", d="one", e="one", f="raises") == ("zero 3, one 2, other 1", "canonical")
    assert cell(a="not_askable", b="zero") == ("zero", "canonical")
    assert cell(a="not_askable") == (EMPTY.text, EMPTY.state)


def test_there_is_no_matrix_without_experiments() -> None:
    assert behaviour_matrix(result(experiments=())) is None
    assert behaviour_matrix(result(libraries=(library(),), findings=(finding(),))) is None


def test_the_glossary_explains_what_occurs() -> None:
    assert behaviour_glossary(asked(a="zero", b="not_askable")) == (
        ("a user without list", "One user gets no recommendation."),
        ("rows shuffled", "Nothing should change."),
        ("zero", "it counts as 0, or the answer is 0"),
    )
