"""Checks claims of papers by experiments: on the reference, on data, on an audit's findings.

May import ``reports.wording``, ``reports.model`` and ``reference``.
"""
