"""Identification by elimination: which definition fits the answers of a function, and what would refute it.

May import ``audit.questions``, ``audit.observations``, ``audit.process``, ``audit.libraries`` and ``reference``.
"""
