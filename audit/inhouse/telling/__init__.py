"""Words what is found of one's own function: what it computes, what is dangerous, why it could not be asked.

May import every module of ``audit.inhouse`` and what these may import.
"""
