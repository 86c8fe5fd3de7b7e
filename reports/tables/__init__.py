"""Tables as plain values, made from results: Tables 1 and 2, tidy rows, comparisons, edge behaviours.

May import ``reports.wording``, ``reports.model`` and ``reference``.
"""
