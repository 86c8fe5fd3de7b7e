"""Phrases of formulas: what each value of an axis does, in words short enough for the key of a table.

May import ``reports.wording.axis_words``.
"""
