"""Code that several commands share: options, checks of inputs, look-ups, exit codes.

May import what the commands may import: every other room of ``audit``, ``reports`` and ``reference``.
"""
