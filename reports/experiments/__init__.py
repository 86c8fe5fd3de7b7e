"""The experiments by which claims of papers are checked: on the reference, on data, on what an audit found.

May import ``reports.wording``, ``reports.model`` and ``reference``.
"""
