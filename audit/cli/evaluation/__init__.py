"""Tells what ``audit evaluate`` does: choosing definitions, evaluating them on the user's files, showing the values.

May import what the commands may import: every other room of ``audit``, ``reports`` and ``reference``.
"""
