"""Checks claims on metrics among drawn candidates.

May import what its room may.
"""
