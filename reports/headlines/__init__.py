"""Writes the sentences that a report begins with: who computes which formula, and which findings surprise.

May import ``reports.wording``, ``reports.model`` and ``reference``.
"""
