"""The result file: its typed model, its schema, and how it is read and merged.

May import nothing else of ``reports``.
"""
