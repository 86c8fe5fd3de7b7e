"""Equal definitions: whether two give one result on every input, and which one is written with the least.

May import every other room of the reference but those that stand on it.
"""
