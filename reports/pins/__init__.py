"""Pins, the accepted expectations of library versions: drift from them, their history, badges.

May import ``reports.wording``, ``reports.model`` and ``reference``.
"""
