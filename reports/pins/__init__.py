"""Pinned expectations as data: what drifted from them, their history, badges.

May import ``reports.wording``, ``reports.model`` and ``reference``.
"""
