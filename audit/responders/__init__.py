"""Responders of a library version (live library, cache, recording, recorder) and the choice among them.

May import ``audit.process``, ``audit.environments``, ``audit.sources``, ``audit.libraries`` and ``audit.data``.
"""
