"""Judges: pure functions that name the behaviour which a function's responses show, one module per kind of question.

May import ``audit.behaviours.responses``, ``audit.behaviours.scenarios`` and ``reports.model``.
"""
