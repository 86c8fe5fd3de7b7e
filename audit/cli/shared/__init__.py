"""Code that several commands share: options, checks of inputs, look-ups, progress, exit codes.

May import what the commands may import: every other room of ``audit``, ``reports`` and ``reference``.
"""
