"""Choosing a metric: the figures show what their lessons say, on the page as well."""

from __future__ import annotations

import itertools
import math

import pytest

from recsys_metric_audit.reports.handbook.choosing import QUESTIONS, figures, problem_of, values


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
    from recsys_metric_audit.reports.renderers.html import template_environment

    template = template_environment().from_string(
        '{% from "choosing.html" import show_choosing %}{{ show_choosing(questions, figures, source) }}'
    )
    page = template.render(questions=QUESTIONS, figures=figures(), source=SOURCE)
    assert page.count("<table") == len(figures()) and page.count("<li>") == len(QUESTIONS)
    assert "●○○○|○○○○○○" in page and "<td>0.89</td>" in page
