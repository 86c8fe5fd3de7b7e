"""What a definition is made of: axes and their values, averaging, edges, shared equalities.

May import nothing else of ``reference``.
"""
