"""Git sources of libraries: cloned checkouts, and whether a checkout is the pinned commit.

May import ``audit.environments``, ``audit.libraries`` and ``audit.errors``.
"""
