"""Identification of functions of metrics beyond accuracy, whose definitions are few: all questions are asked at first.

May import the modules of ``audit.identification`` that know nothing of it, and what they may import.
"""
