"""Pinned meanings: making, checking and accepting them, and their history over releases.

May import ``audit.run`` and every room below it.
"""
