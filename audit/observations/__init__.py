"""The answers of a function, the evidence in them, and the definitions that they contradict.

May import ``audit.process`` (outcomes), ``audit.libraries`` (functions), ``reports`` and ``reference``.
"""
