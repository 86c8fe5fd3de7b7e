"""The edge matrix: what every library does in each unusual situation, in words.

May import ``tables``, ``wording`` and ``model``.
"""
