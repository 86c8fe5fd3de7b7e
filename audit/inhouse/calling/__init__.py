"""Calls a user's function: loads it, recognises how it is called, makes its arguments. Copied into the child's folder.

Imports nothing of ours: its modules run in the author's interpreter, in Python 3.6 syntax.
"""
