"""Definitions: parsing, printing and comparing signatures, and their normal form.

May import ``reference.metrics`` and ``reference.space``.
"""
