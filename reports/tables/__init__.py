"""Tables as plain values, made from a result: Tables 1 and 2, tidy rows, comparisons, behaviours.

May import ``reports.wording``, ``reports.model`` and ``reference``.
"""
