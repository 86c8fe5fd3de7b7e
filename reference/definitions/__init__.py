"""Definitions: parsing and printing signatures.

May import ``reference.metrics`` and ``reference.space``.
"""
