"""Output formats of results, comparisons, drift and histories: terminal, HTML, Markdown, LaTeX, CSV, Parquet, JSON.

May import every room of :mod:`reports` but ``writers``, and :mod:`reference`.
"""
