"""The value of a definition on a case: evaluation, worked examples, axes that data cannot identify.

May import every room of ``reference`` but ``reference.api`` and ``reference.catalogue``.
"""
