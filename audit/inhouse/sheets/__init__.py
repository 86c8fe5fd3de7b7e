"""Sheets of answers: the inputs as files to answer elsewhere, and what is told of the answers.

May import every module of ``audit.inhouse`` and what these may import.
"""
