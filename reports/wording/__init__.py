"""Text that all reports share: labels, formatting, axes in words, letters of variants, the answer, surprises.

May import ``reports.model`` and ``reference``.
"""
