"""From rows to placements: where each relevant item stands, and with which rows it ties.

May import ``reference.input`` and ``reference.space``.
"""
