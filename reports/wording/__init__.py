"""Text that all reports share: labels, formatting, axes and formulas in words, letters of variants.

May import ``reports.model`` and ``reference``.
"""
