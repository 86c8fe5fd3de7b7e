"""Writing: the files of a report folder, the tables in the README, and the pages on papers.

May import ``renderers`` and every room below it.
"""
