"""What a function answered, and which definitions those answers contradict.

May import ``audit.process`` (outcomes), ``audit.libraries`` (functions), ``reports`` and ``reference``.
"""
