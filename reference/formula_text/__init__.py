"""Formulas for people to read, in plain text and in LaTeX: one file per kind of metric, written as templates.

May import ``reference.definitions`` and the packages below it (metrics, placement, input, space).
"""

from __future__ import annotations

from recsys_metric_audit.reference.formula_text.lines import averaging_lines, formula_lines, template_of
from recsys_metric_audit.reference.formula_text.template import NOTATION, FormulaLine, FormulaTemplate

__all__ = ["NOTATION", "FormulaLine", "FormulaTemplate", "averaging_lines", "formula_lines", "template_of"]
