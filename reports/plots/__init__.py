"""Plots as static SVG.

May import ``reports.wording`` and ``reports.model``.
"""
