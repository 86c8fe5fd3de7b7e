"""Identification by elimination: which definitions fit all answers of a function.

May import ``audit.questions``, ``audit.observations``, ``audit.process``, ``audit.libraries`` and ``reference``.
"""
