"""Metamorphic tests of a library's functions: what one change of the input, or an edge case, does to the answer.

May import ``audit.observations``, ``audit.process``, ``audit.libraries``, ``reports.model`` and ``reference``.
"""
