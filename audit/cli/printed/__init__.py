"""Reads printed numbers and tells which definitions give them, for ``audit which``.

May import what the commands may import: every other room of ``audit``, ``reports`` and ``reference``.
"""
