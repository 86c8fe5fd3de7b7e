"""Writing: the files of a report folder, and the tables in the README.

May import ``renderers`` and every room below it.
"""
