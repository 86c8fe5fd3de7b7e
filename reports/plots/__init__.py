"""Plots as static SVG, drawn with matplotlib.

May import ``reports.wording`` and ``reports.model``.
"""
