"""Libraries as their ``library.toml`` describes them: versions, functions, contracts; discovery and selection.

May import ``audit.errors`` and ``reference``.
"""
