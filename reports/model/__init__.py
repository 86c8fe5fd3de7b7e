"""The result file: its typed model, its schema, and how it is read, written and merged.

May import ``reference``, and nothing else of ``reports``.
"""
