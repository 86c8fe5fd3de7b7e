"""The words of every report: labels, formatting, axis texts, letters of variants, headline.

May import ``reports.model`` and ``reference``.
"""
