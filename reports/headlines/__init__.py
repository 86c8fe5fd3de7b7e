"""The sentences that a report begins with: who computes which formula, and what is surprising.

May import ``reports.wording``, ``reports.model`` and ``reference``.
"""
