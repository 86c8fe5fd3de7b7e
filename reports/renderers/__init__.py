"""Output formats of results, comparisons, drift and histories: terminal, HTML, Markdown, LaTeX, CSV, Parquet, JSON.

May import every other package of :mod:`reports`, and :mod:`reference`.
"""
