"""The parts of a definition: axes and their values, averaging, edges, shared equalities, ranked lists.

May import nothing else of ``reference``.
"""
