"""Holds the claims and published values of papers against what an audit found and against experiments.

May import ``reports.experiments``, ``reports.tables``, ``reports.wording``, ``reports.model`` and ``reference``.
"""
