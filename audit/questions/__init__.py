"""The inputs that functions are asked about: the initial ones, and those generated to tell definitions apart.

May import ``audit.observations``, ``audit.process``, ``audit.libraries`` and ``reference``.
"""
