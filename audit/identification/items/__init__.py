"""Identification of functions of metrics beyond accuracy, whose definitions are few enough to try all.

May import the modules of ``audit.identification`` that know nothing of it, and what they may import.
"""
