"""Which inputs are put to a function: the first ones, and those generated to tell definitions apart.

May import ``audit.observations``, ``audit.process``, ``audit.libraries`` and ``reference``.
"""
