"""Hypotheses: what a function may compute by its answers so far, their rivals, and the inputs that refute them.

May import what :mod:`audit.identification` may, its check of the data and its diagnoses.
"""
