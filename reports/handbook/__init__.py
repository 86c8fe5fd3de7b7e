"""Metrics and definitions explained: the handbook, one definition in full, choosing a metric.

May import ``reports.wording``, ``reports.model`` and ``reference``.
"""
