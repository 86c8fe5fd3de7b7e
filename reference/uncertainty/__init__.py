"""Tells how sure a mean over users is: bootstrap intervals, and tests of two recommenders on the same users.

May import ``reference.evaluation`` and what stands below it, and numpy alone.
"""
