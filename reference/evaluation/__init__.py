"""The value of a definition on a case: evaluation, worked examples, axes that data cannot show.

May import every room of ``reference`` but ``reference.catalogue``.
"""
