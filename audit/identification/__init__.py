"""Identification by elimination: the search for all definitions that fit the answers of a function.

May import ``audit.questions``, ``audit.observations``, ``audit.process``, ``audit.libraries`` and ``reference``.
"""
