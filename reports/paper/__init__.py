"""The paper's claims and published values, held against what an audit found.

May import ``reports.tables``, ``reports.wording``, ``reports.model`` and ``reference``.
"""
