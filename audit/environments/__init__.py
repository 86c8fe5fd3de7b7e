"""The locked environment of a library version: interpreter, lock, installation, package index.

May import ``audit.libraries`` and ``audit.errors``.
"""
