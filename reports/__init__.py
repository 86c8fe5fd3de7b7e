"""The telling: the result file and its forms."""
