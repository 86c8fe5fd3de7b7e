"""Reads, writes and shows an audit's result: its file, tables, plots, pages and other output formats.

May import :mod:`reference`, never :mod:`audit`.
"""
