"""What ``library.toml`` says of a library, its versions and its functions.

May import ``audit.errors`` and ``reference``.
"""
