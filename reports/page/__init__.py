"""View models of the HTML page: matrix, findings, libraries, metrics.

May import every room of ``reports`` but ``reports.renderers`` and ``reports.pins``.
"""
