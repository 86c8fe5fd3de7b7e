"""The words about a function of one's own: what it computes, what is dangerous, and why it could not be asked.

May import every module of ``audit.inhouse`` and what these may import.
"""
