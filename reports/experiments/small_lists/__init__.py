"""Checks claims by going through all small lists, rankings or placements.

May import what its room may.
"""
