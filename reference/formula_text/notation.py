"""The symbols that formulas are written in."""

from __future__ import annotations

NOTATION = (
    ("L", "the user's list, best first; |L| its length"),
    ("k, n", "the cut-off, and what is shown: n = min(k, |L|)"),
    ("r", "the user's relevant items"),
    ("j, h_j, g_j", "a rank; 1 if the item there is relevant, else 0; its gain"),
    ("H", "hits: relevant items among the first n"),
)
"""Pairs (symbol, meaning)."""
