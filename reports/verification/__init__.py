"""Reads every form of a report back and holds what it says against the raw answers in the result file.

May import ``reports.model`` and :mod:`reference`, and nothing else of :mod:`reports`: what the renderers get wrong is
not got wrong here in the same way.
"""
