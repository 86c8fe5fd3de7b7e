"""The making of a finding: verdict, evidence, waterfall steps, per-user values, script for an issue.

May import ``audit.identification``, ``audit.behaviours`` and what they import, and ``reports``.
"""
