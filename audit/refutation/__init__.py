"""Refutation: what was identified has to predict the answers to held-out inputs; what does not is not published.

May import ``audit.identification`` and every room below it. No room that identifies may import it: its inputs never
choose a question.
"""
