"""Who answers for a library version: the library itself, its cached answers, or a recording.

May import ``audit.process``, ``audit.environments``, ``audit.sources``, ``audit.libraries`` and ``audit.data``.
"""
