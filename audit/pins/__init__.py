"""Pins of what library versions compute: auditing for them, checking, accepting; history, bisection, upgrades.

May import ``audit.run`` and every room below it.
"""
