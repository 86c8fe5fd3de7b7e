"""From an identified definition to a published finding: verdict, attribution, per-user values, issue script.

May import ``audit.identification``, ``audit.behaviours`` and what they import, and ``reports``.
"""
