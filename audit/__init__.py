"""The audit: environments and processes of libraries, identification of their functions, and the command line.

May import ``reports`` and ``reference``.
"""
